// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.safetensors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.StateDict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Runs the scripts of docs/torch where python3 has torch.
final class TorchScriptsTest {
  private static final Path SCRIPTS = Path.of("..", "docs", "torch").toAbsolutePath().normalize();

  private static final String SAVE =
      """
      import sys, torch
      torch.save({
          "module.fc.weight": torch.arange(6.).reshape(3, 2).t(),
          "module.fc.bias": torch.tensor([1.5, -2.25]).to(torch.bfloat16),
          "module.bn.num_batches_tracked": torch.tensor(7),
          "module.mask": torch.tensor([True, False])}, sys.argv[1])
      """;

  private static final String COMPARE =
      """
      import sys, torch
      before, after = (torch.load(file) for file in sys.argv[1:])
      assert list(before) == list(after)
      for name, value in before.items():
          assert value.dtype == after[name].dtype and torch.equal(value, after[name]), name
      """;

  @TempDir private Path folder;

  private String python(String... arguments) throws IOException, InterruptedException {
    Path log = folder.resolve("log");
    List<String> command = new ArrayList<>(List.of("python3"));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    return process.waitFor() + " " + Files.readString(log);
  }

  private boolean hasTorch() throws InterruptedException {
    try {
      return python("-c", "import torch").startsWith("0 ");
    } catch (IOException e) {
      return false; // no python3
    }
  }

  @Test
  void aStateOfTorchIsRead() throws Exception {
    assumeTrue(hasTorch(), "python3 with torch is needed");
    String state = folder.resolve("state.pt").toString();
    Path file = folder.resolve("state.safetensors");
    assertThat(python("-c", SAVE, state)).isEqualTo("0 ");
    String script = SCRIPTS.resolve("to_safetensors.py").toString();
    assertThat(python(script, state, file.toString(), "--strip", "module."))
        .startsWith("0 4 tensors in ");
    Map<String, Tensor> tensors = StateDict.read(file).tensors();
    assertThat(tensors.keySet())
        .containsExactlyInAnyOrder("fc.weight", "fc.bias", "bn.num_batches_tracked", "mask");
    assertThat(tensors.get("fc.weight").values()).containsExactly(0, 2, 4, 1, 3, 5);
    assertThat(tensors.get("fc.weight").shape().toArray()).containsExactly(2, 3);
    assertThat(tensors.get("fc.bias").dtype()).isEqualTo(DType.BFLOAT16);
    assertThat(tensors.get("fc.bias").to(DType.FLOAT32).values()).containsExactly(1.5f, -2.25f);
    assertThat(tensors.get("bn.num_batches_tracked").dtype()).isEqualTo(DType.INT64);
    assertThat(tensors.get("mask").booleans()).containsExactly(true, false);
  }

  @Test
  void aStateReturnsToTorch() throws Exception {
    assumeTrue(hasTorch(), "python3 with torch is needed");
    String before = folder.resolve("before.pt").toString();
    String file = folder.resolve("state.safetensors").toString();
    String after = folder.resolve("after.pt").toString();
    assertThat(python("-c", SAVE, before)).isEqualTo("0 ");
    String there = SCRIPTS.resolve("to_safetensors.py").toString();
    assertThat(python(there, before, file)).startsWith("0 ");
    String back = SCRIPTS.resolve("from_safetensors.py").toString();
    assertThat(python(back, file, after)).startsWith("0 4 tensors in ");
    assertThat(python("-c", COMPARE, before, after)).isEqualTo("0 ");
  }
}
