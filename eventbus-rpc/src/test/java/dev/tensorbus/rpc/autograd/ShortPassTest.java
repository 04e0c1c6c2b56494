// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.autograd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.graph.Edge;
import dev.tensorbus.autograd.graph.Node;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.RemoteFunction.F1;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.testing.MemoryWorld;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/// A worker's part of a pass runs on the event loop once such parts are known to be short, if it
/// only computes.
@Isolated("it measures how long passes take")
@Tag("slow")
class ShortPassTest {
  private final Tensor x = Tensor.parameter(Shape.of(3), new float[] {1, 2, 3});
  private final MemoryWorld world = new MemoryWorld(2);
  private final Rpc rpc = world.worker(0);

  /// How many that takes depends on what else the machine does; JUnit's timeout ends it.
  @BeforeEach
  void runShortPassesUntilThatIsKnown() {
    boolean isKnown = false;
    while (!isKnown) {
      isKnown = runsOnEventLoop(ShortPassTest::watched);
    }
  }

  @AfterEach
  void closeWorld() {
    world.close();
  }

  /// The thread on which worker1 computes its part of a pass through this function.
  private boolean runsOnEventLoop(F1<Tensor, Tensor> function) {
    backward(function);
    return rpc.rpcSync("worker1", ShortPassTest::wasOnEventLoop);
  }

  private void backward(F1<Tensor, Tensor> function) {
    try (var context = DistAutograd.context(rpc)) {
      context.backward(rpc.rpcSync("worker1", function, x).sum());
      assertThat(context.gradients().get(x).values()).containsExactly(1, 1, 1);
    }
  }

  @Test
  void whatUsersWroteRunsWhereItMayWait() {
    assertThat(runsOnEventLoop(ShortPassTest::ofAUser)).isFalse();
  }

  @Test
  void aHookMayCallOtherWorkers() {
    backward(ShortPassTest::hooked);
    assertThat(rpc.rpcSync("worker1", ShortPassTest::wasOnEventLoop)).isFalse();
  }

  @Test
  void afterLongPassesTheNextRunOnAThreadOfTheirOwn() {
    backward(ShortPassTest::slow);
    backward(ShortPassTest::slow);
    assertThat(runsOnEventLoop(ShortPassTest::watched)).isFalse();
  }

  @Remote
  static Tensor watched(Tensor x) {
    return new Watch(x, false, Duration.ZERO).output(x);
  }

  @Remote
  static Tensor ofAUser(Tensor x) {
    return new Watch(x, true, Duration.ZERO).output(x);
  }

  @Remote
  static Tensor slow(Tensor x) {
    return new Watch(x, false, Duration.ofMillis(1)).output(x);
  }

  @Remote
  static Tensor hooked(Tensor x) {
    Tensor y = watched(x);
    y.registerHook(
        gradient -> {
          Rpc.current().rpcSync("worker0", ShortPassTest::wasOnEventLoop);
          return gradient;
        });
    return y;
  }

  @Remote
  static boolean wasOnEventLoop() {
    return Watch.lastHere().thread.getName().contains("eventloop");
  }

  /// Gives its input, and notes on which thread its gradient comes by.
  private static final class Watch extends Node {
    /// The last thread of a worker.
    private static final class Last {
      private volatile Thread thread = Thread.currentThread();
    }

    private final Last last = lastHere();
    private final boolean isUserCode;
    private final Duration time;

    private Watch(Tensor x, boolean isUserCode, Duration time) {
      super(1, List.of(x.gradientEdge()));
      this.isUserCode = isUserCode;
      this.time = time;
    }

    private static Last lastHere() {
      return Rpc.current().shared(Last.class, Last::new);
    }

    private Tensor output(Tensor x) {
      return Tensor.recorded(x.detach(), new Edge(this, 0));
    }

    @Override
    protected Tensor[] backward(Tensor[] gradients, boolean[] needed) {
      last.thread = Thread.currentThread();
      long end = System.nanoTime() + time.toNanos();
      while (System.nanoTime() < end) {
        Thread.onSpinWait();
      }
      return gradients;
    }

    @Override
    protected boolean isUserCode() {
      return isUserCode;
    }

    @Override
    public String toString() {
      return "watch";
    }
  }
}
