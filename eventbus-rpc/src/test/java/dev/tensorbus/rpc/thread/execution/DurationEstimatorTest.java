// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.thread.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.FunctionName;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.World;
import dev.tensorbus.rpc.call.callee.Functions;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// An event loop may run what was short before.
class DurationEstimatorTest {
  private static final int ENOUGH = 30;

  private final DurationEstimator durations = new DurationEstimator();
  private final Functions functions = new Functions(DurationEstimatorTest.class.getClassLoader());

  private void takeShort(int times) {
    for (int time = 0; time < times; time++) {
      durations.ran(0);
    }
  }

  private void takeLong() {
    durations.ran(Duration.ofMillis(1).toNanos());
  }

  @Test
  void workIsShortAfterThirtyShortRuns() {
    takeShort(ENOUGH - 1);
    assertThat(durations.isShort()).isFalse();
    takeShort(1);
    assertThat(durations.isShort()).isTrue();
  }

  @Test
  void aLongRunIsForgivenToWorkThatWasShortForLong() {
    takeShort(2 * ENOUGH);
    takeLong();
    assertThat(durations.isShort()).isTrue();
    takeLong();
    assertThat(durations.isShort()).isFalse();
  }

  @Test
  void workOfWhichEveryTwentiethRunIsLongIsNotShort() {
    for (int round = 0; round < 100; round++) {
      takeShort(19);
      takeLong();
    }
    takeShort(19);
    assertThat(durations.isShort()).isFalse();
  }

  @Test
  void anEventLoopMayRunAnOperationThatIsKnownToBeShort() throws Throwable {
    FunctionName name = new FunctionName(Tensor.class.getName(), "add");
    Object[] arguments = {Tensor.of(1), Tensor.of(2)};
    functions.find(name).invoke(arguments); // may take long, since it loads classes
    assertThat(functions.allowsEventLoop(name)).isFalse();
    World.eventually(() -> isAllowedAfterARun(name, arguments));
  }

  private boolean isAllowedAfterARun(FunctionName name, Object... arguments) {
    try {
      functions.find(name).invoke(arguments);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
    return functions.allowsEventLoop(name);
  }

  @Test
  void anEventLoopNeverRunsAMethodThatSaysNothing() throws Throwable {
    FunctionName name = new FunctionName(DurationEstimatorTest.class.getName(), "nothing");
    for (int run = 0; run < 10 * ENOUGH; run++) {
      functions.find(name).invoke(new Object[0]);
    }
    assertThat(functions.allowsEventLoop(name)).isFalse();
  }

  @Remote
  static void nothing() {}
}
