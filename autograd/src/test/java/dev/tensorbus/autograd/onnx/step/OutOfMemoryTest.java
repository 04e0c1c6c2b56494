// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx.step;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.autograd.OnnxException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.onnx.runtime.Provider;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class OutOfMemoryTest {
  private static RuntimeException explained(RuntimeException failure) {
    return OutOfMemory.explained(
        failure,
        new Provider(1, false),
        List.of(Tensor.zeros(1024, 1024), Tensor.zeros(512, 256)),
        List.of(Tensor.zeros(3, 5), Tensor.ofLongs(1, 2)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ONNX Runtime failed: Failed to allocate memory for requested buffer of size 4096",
        "ONNX Runtime failed: CUDA failure 2: out of memory ; GPU=1",
        "ONNX Runtime failed: std::bad_alloc"
      })
  void theSizesAreNamed(String message) {
    OnnxException failure = new OnnxException(message);
    assertThat(explained(failure))
        .isInstanceOf(OnnxException.class)
        .hasCause(failure)
        .hasMessage(
            "cuda:1 has too little memory for a step with 5 MiB of state, which is stored twice,"
                + " a batch of 1 MiB, and all intermediate results; use smaller batches: "
                + message);
  }

  @Test
  void otherErrorsRemain() {
    OnnxException failure = new OnnxException("ONNX Runtime failed: Got: 3 Expected: 2");
    assertThat(explained(failure)).isSameAs(failure);
  }
}
