// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.world.hazelcast;

import com.hazelcast.internal.util.Clock;
import com.hazelcast.internal.util.ClockProperties;
import dev.tensorbus.rpc.thread.time.NanoClock;
import java.lang.System.Logger.Level;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/// Hazelcast's clock: the wall clock's time at its start, and the nanoseconds since. Hazelcast
/// tells by its clock how long a member has been silent, so a wall clock that is set would take
/// healthy members for dead. It takes the master's time for the cluster's, so the members' clocks
/// need not agree.
public final class MonotonicClock extends Clock.ClockImpl {
  private static final System.Logger LOG = System.getLogger(MonotonicClock.class.getName());

  private static final AtomicBoolean made = new AtomicBoolean();
  private static final AtomicBoolean warned = new AtomicBoolean();

  private final long startMillis = InstantSource.system().millis();
  private final NanoClock clock = NanoClock.SYSTEM;
  private final long startNanos = clock.nanoTime();

  MonotonicClock() {
    made.set(true);
  }

  /// Has Hazelcast go by it, unless the application chose another clock. Warns once where Hazelcast
  /// has read its choice already.
  public static void install() {
    if (System.getProperty(ClockProperties.HAZELCAST_CLOCK_IMPL) == null) {
      System.setProperty(ClockProperties.HAZELCAST_CLOCK_IMPL, MonotonicClock.class.getName());
      Clock.currentTimeMillis(); // reads the property, if nobody has yet
      if (!made.get() && warned.compareAndSet(false, true)) {
        LOG.log(Level.WARNING, warning());
      }
    }
  }

  private static String warning() {
    return "Hazelcast was used before Tensorbus and goes by the wall clock: workers may be taken"
        + " for dead when it is set; give the JVM -D"
        + ClockProperties.HAZELCAST_CLOCK_IMPL
        + "="
        + MonotonicClock.class.getName();
  }

  @Override
  protected long currentTimeMillis() {
    return startMillis + TimeUnit.NANOSECONDS.toMillis(clock.nanoTime() - startNanos);
  }
}
