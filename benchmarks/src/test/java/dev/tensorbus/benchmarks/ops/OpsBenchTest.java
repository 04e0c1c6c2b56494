// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class OpsBenchTest {
  private static final List<Operation> OPERATIONS = OpsBench.all();

  private static final Path PEER = Path.of("..", "..", "shared", "peer", "ops.py");

  /// Runs PyTorch's script with a torch that computes nothing and a clock that soon ends each
  /// measurement, so that it prints all its names at once.
  private static final String NAMES =
      """
      import itertools, runpy, sys, time

      class Torch:
          def __getattr__(self, name):
              if name.startswith("__"):
                  raise AttributeError(name)
              return self
          def __call__(self, *values, **named): return self
          def __iter__(self): return iter(())
          def __exit__(self, *error): return None
          __enter__ = __getitem__ = __invert__ = __call__
          __add__ = __mul__ = __truediv__ = __pow__ = __matmul__ = __gt__ = __call__

      torch = Torch()
      torch.Module = Torch
      for name in "torch", "torch.nn", "torch.nn.functional":
          sys.modules[name] = torch
      time.perf_counter = itertools.count().__next__
      sys.path.insert(0, sys.argv[1])
      sys.argv = ["ops.py", "1"]
      runpy.run_path(sys.path[0] + "/ops.py")
      """;

  @Test
  void noTwoOperationsHaveOneName() {
    assertThat(OPERATIONS).extracting(Operation::name).doesNotHaveDuplicates();
  }

  @Test
  void aNameBeginsWithItsGroup() {
    assertThat(OPERATIONS)
        .extracting(Operation::name)
        .allMatch(
            name -> name.matches("(elementwise|reduce|matmul|conv|model|optim|graph)(\\.\\w+)+"));
  }

  @Test
  void aPatternChoosesByTheWholeName() {
    assertThat(OpsBench.matching("graph\\.chain.*"))
        .extracting(Operation::name)
        .containsExactly(
            "graph.chain.scalar.1000",
            "graph.chain.scalar.10000",
            "graph.chain.scalar.100000",
            "graph.chain.scalar.1000000");
  }

  @Test
  void eachOperationIsOneOfPyTorchs() throws IOException, InterruptedException {
    assumeTrue(Files.exists(PEER), "no ../shared/peer/ops.py, which has PyTorch's names");
    List<String> names = namesOfPeer();
    assertThat(names).isNotEmpty();
    List<String> ours = OPERATIONS.stream().map(Operation::name).toList();
    assertThat(names).containsAll(ours);
    TreeSet<String> missing = new TreeSet<>(names);
    missing.removeAll(ours);
    IO.println("operations of PyTorch's that bench ops does not measure: " + missing);
  }

  private static List<String> namesOfPeer() throws IOException, InterruptedException {
    Process python =
        new ProcessBuilder(
                "python3", "-B", "-c", NAMES, PEER.toAbsolutePath().getParent().toString())
            .redirectErrorStream(true)
            .start();
    List<String> lines = python.inputReader().lines().toList();
    assertThat(python.waitFor()).as(String.join("\n", lines)).isZero();
    return lines.stream()
        .map(line -> line.replaceFirst("ops\\.(\\S+)\\.threads1 .*", "$1"))
        .toList();
  }
}
