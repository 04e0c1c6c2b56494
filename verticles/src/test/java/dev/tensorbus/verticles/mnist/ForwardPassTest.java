// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.mnist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.models.MnistNet;
import dev.tensorbus.verticles.UsageException;
import dev.tensorbus.verticles.WorkerOptions;
import io.vertx.core.json.JsonObject;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

final class ForwardPassTest {
  private static WorkerOptions options(JsonObject given) {
    return WorkerOptions.of(MnistProgram.PROGRAM.settings(), given);
  }

  @Test
  void aGpuThatIsNotThereIsAMistakeUnlessTheCpuWillDo() {
    JsonObject given = new JsonObject().put("numGpus", 1);
    Throwable error = catchThrowable(() -> ForwardPass.check(options(given)));
    assumeTrue(error != null, "there is a GPU");
    assertThat(error)
        .isInstanceOf(UsageException.class)
        .hasMessageStartingWith("cuda:0: ONNX Runtime cannot use it: ");
    ForwardPass.check(options(given.put("cpuFallback", true)));
  }

  @Test
  void onnxRuntimeComputesWhatJavaComputes() {
    MnistNet net = new MnistNet(new SplittableRandom(1));
    net.eval();
    Tensor images = Tensor.randn(new SplittableRandom(2), 3, 1, 28, 28);
    UnaryOperator<Tensor> onnx =
        ForwardPass.of(net, options(new JsonObject().put("forward", "onnx")));
    onnx.apply(images);
    assertThat(onnx.apply(images).values())
        .containsExactly(net.forward(images).values(), Offset.offset(1e-5f));
  }
}
