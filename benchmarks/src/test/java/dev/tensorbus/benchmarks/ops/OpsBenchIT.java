// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.ops;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Runs each operation once, since nobody measures all of them often.
@Tag("long")
class OpsBenchIT {
  static List<Operation> operations() {
    return OpsBench.all();
  }

  @ParameterizedTest
  @MethodSource("operations")
  void theOperationRuns(Operation operation) {
    operation.preparation().get().run();
  }
}
