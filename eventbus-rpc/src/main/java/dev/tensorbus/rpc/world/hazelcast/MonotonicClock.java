// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.world.hazelcast;

import com.hazelcast.internal.util.Clock;
import com.hazelcast.internal.util.ClockProperties;
import dev.tensorbus.rpc.thread.time.NanoClock;
import java.lang.System.Logger.Level;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/// A clock for Hazelcast that never jumps: the time of the wall clock when it was created, plus the
/// time elapsed since then. Hazelcast uses its clock to measure how long a member has been silent,
/// so a jump of the wall clock would make healthy members look dead. The clocks of the members need
/// not agree, since Hazelcast uses the master's time for the cluster.
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

  /// Makes Hazelcast use this clock, unless the application has chosen another one. Logs a warning,
  /// once, if Hazelcast has already read the setting.
  public static void install() {
    if (System.getProperty(ClockProperties.HAZELCAST_CLOCK_IMPL) == null) {
      System.setProperty(ClockProperties.HAZELCAST_CLOCK_IMPL, MonotonicClock.class.getName());
      Clock.currentTimeMillis(); // makes Hazelcast read the property, unless it already has
      if (!made.get() && warned.compareAndSet(false, true)) {
        LOG.log(Level.WARNING, warning());
      }
    }
  }

  private static String warning() {
    return "Hazelcast was used before Tensorbus and uses the wall clock: workers may be"
        + " declared dead when that clock is adjusted; start the JVM with -D"
        + ClockProperties.HAZELCAST_CLOCK_IMPL
        + "="
        + MonotonicClock.class.getName();
  }

  @Override
  protected long currentTimeMillis() {
    return startMillis + TimeUnit.NANOSECONDS.toMillis(clock.nanoTime() - startNanos);
  }
}
