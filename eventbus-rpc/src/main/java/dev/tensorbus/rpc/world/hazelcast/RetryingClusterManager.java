// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.world.hazelcast;

import com.hazelcast.config.Config;
import dev.tensorbus.rpc.thread.time.Deadline;
import dev.tensorbus.rpc.thread.time.NanoClock;
import io.vertx.core.Completable;
import io.vertx.spi.cluster.hazelcast.HazelcastClusterManager;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Joins the world again and again until it succeeds or its time is over. Hazelcast's own joiner
/// gives up once a connection to its required member takes more than a second, as it does where
/// many workers start at once or where a packet is lost.
public final class RetryingClusterManager extends HazelcastClusterManager {
  static final String JOIN_LIMIT = "hazelcast.max.join.seconds";

  private final Duration limit;

  /// @param config names the member to join
  /// @param limit how long to go on
  public RetryingClusterManager(Config config, Duration limit) {
    super(config);
    this.limit = limit;
  }

  @Override
  public void join(Completable<Void> promise) {
    joinUntil(Deadline.after(limit, NanoClock.SYSTEM), promise);
  }

  private void joinUntil(Deadline end, Completable<Void> promise) {
    long left = Math.max(1, end.left().toSeconds());
    getConfig().setProperty(JOIN_LIMIT, Long.toString(left));
    super.join(
        (_, error) -> {
          if (!isGivenUp(error) || end.isOver()) {
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
