// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.world.hazelcast;

import com.hazelcast.config.Config;
import dev.tensorbus.rpc.thread.time.Deadline;
import dev.tensorbus.rpc.thread.time.NanoClock;
import io.vertx.core.Completable;
import io.vertx.spi.cluster.hazelcast.HazelcastClusterManager;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Retries joining the world until it succeeds or the timeout expires. Hazelcast's own joiner gives
/// up once a connection to its required member takes more than a second, as happens when many
/// workers start at once or a packet is lost.
public final class RetryingClusterManager extends HazelcastClusterManager {
  static final String JOIN_LIMIT = "hazelcast.max.join.seconds";

  private final Duration limit;

  /// @param config names the member to join
  /// @param limit how long to retry
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
            // Makes another join possible. Leaving fails, since nothing was joined.
            super.leave((_, _) -> joinUntil(end, promise));
          }
        });
  }

  /// Returns whether Hazelcast's joiner has given up. Other errors would recur.
  private static boolean isGivenUp(@Nullable Throwable error) {
    return error instanceof IllegalStateException;
  }
}
