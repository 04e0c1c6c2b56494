// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.serving;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.FunctionName;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.World;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// What an event loop may do is learnt of what it took before.
class PaceTest {
  private static final int ENOUGH = 30;

  private final Pace pace = new Pace();
  private final Functions functions = new Functions(PaceTest.class.getClassLoader(), Set.of());

  private void takeShort(int times) {
    for (int time = 0; time < times; time++) {
      pace.tookSince(System.nanoTime() + Duration.ofDays(1).toNanos()); // in no time at all
    }
  }

  private void takeLong() {
    pace.tookSince(System.nanoTime() - Duration.ofMillis(1).toNanos());
  }

  @Test
  void workIsShortAfterThirtyShortRuns() {
    takeShort(ENOUGH - 1);
    assertThat(pace.isShort()).isFalse();
    takeShort(1);
    assertThat(pace.isShort()).isTrue();
  }

  @Test
  void aLongRunIsForgivenToWorkThatWasShortForLong() {
    takeShort(2 * ENOUGH);
    takeLong();
    assertThat(pace.isShort()).isTrue();
    takeLong();
    assertThat(pace.isShort()).isFalse();
  }

  @Test
  void workOfWhichEveryTwentiethRunIsLongIsNotShort() {
    for (int round = 0; round < 100; round++) {
      takeShort(19);
      takeLong();
    }
    takeShort(19);
    assertThat(pace.isShort()).isFalse();
  }

  @Test
  void anOperationIsBriefOnceItIsKnownToBeShort() throws Throwable {
    FunctionName name = new FunctionName(Tensor.class.getName(), "add");
    Object[] arguments = {Tensor.of(1), Tensor.of(2)};
    functions.find(name).invoke(arguments); // may take long, since it loads classes
    assertThat(functions.isBrief(name)).isFalse();
    World.eventually(() -> isBriefAfterARun(name, arguments));
  }

  private boolean isBriefAfterARun(FunctionName name, Object... arguments) {
    try {
      functions.find(name).invoke(arguments);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
    return functions.isBrief(name);
  }

  @Test
  void aMethodThatDoesNotSaySoIsNeverBrief() throws Throwable {
    FunctionName name = new FunctionName(PaceTest.class.getName(), "nothing");
    for (int run = 0; run < 10 * ENOUGH; run++) {
      functions.find(name).invoke(new Object[0]);
    }
    assertThat(functions.isBrief(name)).isFalse();
  }

  @Remote
  static void nothing() {}
}
