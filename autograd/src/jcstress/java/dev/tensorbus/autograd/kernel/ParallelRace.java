// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import java.util.Arrays;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// Two callers share the helpers. Each task runs once, and its caller sees what it has written,
/// whoever ran it: the arrays are plain.
@JCStressTest
@State
@Outcome(id = "4, 4", expect = ACCEPTABLE, desc = "all tasks ran once and are visible")
public class ParallelRace {
  private static final int TASKS = 4;
  private static final Parallel PARALLEL = new Parallel(3);

  private static int run() {
    int[] runs = new int[TASKS];
    PARALLEL.run(TASKS, number -> runs[number]++);
    return Arrays.stream(runs).allMatch(count -> count == 1) ? TASKS : -1;
  }

  /// One caller.
  @Actor
  public void one(II_Result result) {
    result.r1 = run();
  }

  /// Another caller.
  @Actor
  public void other(II_Result result) {
    result.r2 = run();
  }
}
