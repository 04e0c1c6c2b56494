// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.thread.idle;

import dev.tensorbus.rpc.IdleMode;
import dev.tensorbus.rpc.thread.time.NanoClock;
import java.nio.channels.ByteChannel;
import java.nio.channels.SocketChannel;
import java.util.function.Consumer;

/// Creates the idle strategies of a worker's threads.
public final class IdleStrategies {
  private final IdleMode mode;
  private final NanoClock clock;

  /// @param clock the worker's clock, which measures all waits
  public IdleStrategies(IdleMode mode, NanoClock clock) {
    this.mode = mode;
    this.clock = clock;
  }

  /// Returns the clock that measures all waits.
  public NanoClock clock() {
    return clock;
  }

  /// Returns whether threads may spin. On a single core, a spinning thread would block all others.
  private boolean spins() {
    return mode == IdleMode.ADAPTIVE && Runtime.getRuntime().availableProcessors() > 1;
  }

  /// Returns the strategy of a thread that waits for another process, which cannot wake it.
  public IdleStrategy forOtherProcess() {
    return mode == IdleMode.ADAPTIVE ? new BackoffIdleStrategy(clock) : new ParkIdleStrategy(clock);
  }

  /// Returns the strategy of the event loop that receives a worker's messages.
  ///
  /// @param afterEvents schedules a task to run after the loop's next poll for events, which then
  ///     does not sleep
  public IdleStrategy forEventLoop(Consumer<Runnable> afterEvents) {
    return spins() ? new EventLoopIdleStrategy(afterEvents, clock) : new NoIdleStrategy();
  }

  /// Returns the strategy of the threads that wait for answers.
  public SpinThenPark forAnswers() {
    return new SpinThenPark(spins(), clock);
  }

  /// Returns the policy of a copying thread.
  public YieldPolicy forCopying() {
    return new YieldPolicy(clock);
  }

  /// Returns the channel through which a connection is read and written.
  public ByteChannel channelOf(SocketChannel connection) {
    return mode == IdleMode.ADAPTIVE ? new SpinningChannel(connection, clock) : connection;
  }
}
