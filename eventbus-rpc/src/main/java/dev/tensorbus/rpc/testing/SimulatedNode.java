// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.testing;

import dev.tensorbus.rpc.thread.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledFuture;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// A process in a [Simulation], from its start to its death. As an [Executor], it runs each task as
/// an event of its own, after the current one.
public final class SimulatedNode implements Executor {
  private final Simulation simulation;
  private final ManualClock time;
  private final String name;
  private final int incarnation;
  private final DriftingClock clock;

  /// The times at which the last messages to other nodes arrive.
  private final Map<SimulatedNode, Long> arrivals = new HashMap<>();

  /// The events that have been due since the node was frozen.
  private final List<Runnable> backlog = new ArrayList<>();

  private BiConsumer<String, Object> receiver = (from, message) -> {};
  private boolean isDead;
  private boolean isFrozen;

  /// @param rate how fast the node's clock runs
  SimulatedNode(
      Simulation simulation, ManualClock time, String name, int incarnation, double rate) {
    this.simulation = simulation;
    this.time = time;
    this.name = name;
    this.incarnation = incarnation;
    this.clock = new DriftingClock(rate, simulation.random().nextInt());
  }

  /// Returns the name.
  public String name() {
    return name;
  }

  /// Returns the number of nodes that were started under this name, including this one.
  public int incarnation() {
    return incarnation;
  }

  /// Returns whether the node has not been killed.
  public boolean isAlive() {
    return !isDead;
  }

  /// Sets the handler that receives messages, with the name of the sender.
  public void onMessage(BiConsumer<String, Object> newReceiver) {
    receiver = newReceiver;
  }

  /// Sends a message. It is lost if no node of this name is alive now, or the node is no longer
  /// alive when the message arrives. A message to the node itself always arrives, without delay.
  ///
  /// @param message enters the trace as its `toString()`, or its content if it is a `byte[]`
  public void send(String to, Object message) {
    if (!isDead) {
      simulation.send(this, to, message);
    }
  }

  @Override
  public void execute(Runnable task) {
    clock.after(0, task);
  }

  /// Runs a task after a delay on this node's clock, unless the node dies first.
  public void after(Duration delay, Runnable task) {
    clock.after(delay.toNanos(), task);
  }

  /// Returns the node's clock, which drifts and whose alarms end with the node.
  @SuppressWarnings("exports") // `Clock` is exported only to this project's modules
  public Clock clock() {
    return clock;
  }

  /// Returns the simulation's source of random numbers.
  public Random random() {
    return simulation.random();
  }

  /// Adds a line to the trace.
  public void trace(Object event) {
    simulation.trace("", name, event);
  }

  void die() {
    isDead = true;
    clock.stop();
    backlog.clear();
  }

  void freeze() {
    isFrozen = true;
  }

  void thaw() {
    isFrozen = false;
    List<Runnable> due = List.copyOf(backlog);
    backlog.clear();
    for (Runnable event : due) {
      ScheduledFuture<?> _ = time.alarm(0, this::runEvent, event);
    }
  }

  /// Returns the time at which a message arrives that takes `latency`, or longer if an earlier
  /// message arrives later.
  long arrival(SimulatedNode to, long latency) {
    return arrivals.merge(to, time.nanoTime() + latency, Math::max);
  }

  void deliver(long delay, SimulatedNode from, Object message) {
    ScheduledFuture<?> _ = time.alarm(delay, this::runEvent, () -> receive(from, message));
  }

  private void receive(SimulatedNode from, Object message) {
    simulation.trace("", from.name + " > " + name, Simulation.text(message));
    receiver.accept(from.name, message);
  }

  private void runEvent(Runnable event) {
    if (isFrozen) {
      backlog.add(event);
    } else if (!isDead) {
      event.run();
    }
  }

  /// The simulation's time, seen by a node.
  private final class DriftingClock implements Clock {
    private final double rate;
    private final long first;
    private final long start = time.nanoTime();
    private boolean isStopped;

    /// @param first the first time that it shows, since `nanoTime` has an arbitrary origin
    DriftingClock(double rate, long first) {
      this.rate = rate;
      this.first = first;
    }

    @Override
    public long nanoTime() {
      return first + (long) ((time.nanoTime() - start) * rate);
    }

    @Override
    public Instant instant() {
      return Instant.EPOCH.plusNanos(nanoTime());
    }

    @Override
    public void sleep(Duration duration) {
      throw new UnsupportedOperationException(
          "a simulation has one thread, which cannot sleep; use alarms");
    }

    @Override
    public @Nullable ScheduledFuture<?> alarm(long nanos, Runnable task) {
      return isStopped ? null : time.alarm((long) Math.ceil(nanos / rate), this::ring, task);
    }

    private void ring(Runnable alarm) {
      runEvent(
          () -> {
            if (!isStopped) {
              alarm.run();
            }
          });
    }

    @Override
    public void every(Duration period, Runnable task) {
      after(
          period.toNanos(),
          () -> {
            task.run();
            every(period, task);
          });
    }

    @Override
    public boolean isStopped() {
      return isStopped;
    }

    @Override
    public void stop() {
      isStopped = true;
    }
  }
}
