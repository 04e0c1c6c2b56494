// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.thread.idle;

import dev.tensorbus.rpc.IdleMode;
import dev.tensorbus.rpc.thread.time.NanoClock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SocketChannel;
import java.util.function.Consumer;

/// Chooses how the threads of one worker wait, wherever they do.
public final class IdleStrategies {
  private final IdleMode mode;
  private final NanoClock clock;

  /// @param clock the worker's, which all waits are measured by
  public IdleStrategies(IdleMode mode, NanoClock clock) {
    this.mode = mode;
    this.clock = clock;
  }

  /// Returns the clock that all waits are measured by.
  public NanoClock clock() {
    return clock;
  }

  /// A thread that spins on the only core keeps all others from it.
  private boolean spins() {
    return mode == IdleMode.ADAPTIVE && Runtime.getRuntime().availableProcessors() > 1;
  }

  /// For a thread that waits for another process, which cannot wake a thread here.
  public IdleStrategy forOtherProcess() {
    return mode == IdleMode.ADAPTIVE ? new BackoffIdleStrategy(clock) : new ParkIdleStrategy(clock);
  }

  /// For the event loop that takes a worker's messages.
  ///
  /// @param afterEvents has the loop run something when it has looked for events once more,
  ///     without going to sleep
  public IdleStrategy forEventLoop(Consumer<Runnable> afterEvents) {
    return spins() ? new EventLoopIdleStrategy(afterEvents, clock) : new NoIdleStrategy();
  }

  /// For the threads that wait for answers.
  public SpinThenPark forAnswers() {
    return new SpinThenPark(spins(), clock);
  }

  /// For a thread that copies.
  public YieldPolicy forCopying() {
    return new YieldPolicy(clock);
  }

  /// For the thread that reads a connection.
  public ReadableByteChannel forReaderOf(SocketChannel channel) {
    return mode == IdleMode.ADAPTIVE ? new SpinningChannel(channel, clock) : channel;
  }
}
