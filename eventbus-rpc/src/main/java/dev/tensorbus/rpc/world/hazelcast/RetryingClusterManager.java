// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.world.hazelcast;

import com.hazelcast.config.Config;
import io.vertx.core.Completable;
import io.vertx.spi.cluster.hazelcast.HazelcastClusterManager;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Joins the world again and again until it succeeds or its time is over. Hazelcast's own joiner
/// gives up once a connection to its required member takes more than a second, as it does where
/// many workers start at once or where a packet is lost.
public final class RetryingClusterManager extends HazelcastClusterManager {
  static final String JOIN_LIMIT = "hazelcast.max.join.seconds";

  private final long limitNanos;

  /// @param config names the member to join
  /// @param limit how long to go on
  public RetryingClusterManager(Config config, Duration limit) {
    super(config);
    limitNanos = limit.toNanos();
  }

  @Override
  public void join(Completable<Void> promise) {
    joinUntil(System.nanoTime() + limitNanos, promise);
  }

  private void joinUntil(long end, Completable<Void> promise) {
    long left = Math.max(1, Duration.ofNanos(end - System.nanoTime()).toSeconds());
    getConfig().setProperty(JOIN_LIMIT, Long.toString(left));
    super.join(
        (_, error) -> {
          if (!isGivenUp(error) || System.nanoTime() - end >= 0) {
            promise.complete(null, error);
          } else {
            // Lets it join once more. It fails, since nothing was joined.
            super.leave((_, _) -> joinUntil(end, promise));
          }
        });
  }

  /// Whether Hazelcast's joiner has given up. Another error would come again.
  private static boolean isGivenUp(@Nullable Throwable error) {
    return error instanceof IllegalStateException;
  }
}
