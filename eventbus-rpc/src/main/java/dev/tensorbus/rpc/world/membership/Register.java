// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.world.membership;

import com.hazelcast.nio.serialization.HazelcastSerializationException;
import dev.tensorbus.rpc.wire.BusAddresses;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.shareddata.AsyncMap;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// The register of a world: a map in the cluster that holds each worker by rank and by name.
///
/// An entry may be stored on the other side of a network partition, so reading has a timeout.
public final class Register {
  private static final System.Logger LOG = System.getLogger(Register.class.getName());

  /// How long a leaving worker waits until the cluster has removed its entries and addresses. This
  /// need not be confirmed: they may be stored on a worker that it cannot reach.
  public static final Duration LEAVING = Duration.ofSeconds(1);

  private final Vertx vertx;
  private final ClusterNode host;
  private final Duration patience;
  private final AtomicBoolean isReported = new AtomicBoolean();

  private @Nullable AsyncMap<String, Object> map;

  /// @param patience the timeout for reading
  public Register(Vertx vertx, ClusterNode host, Duration patience) {
    this.vertx = vertx;
    this.host = host;
    this.patience = patience;
  }

  static String rankKey(Member member) {
    return "rank/" + member.info().id();
  }

  static String nameKey(Member member) {
    return nameKey(member.info().name());
  }

  private static String nameKey(String name) {
    return "name/" + name;
  }

  /// Opens the map. Blocks.
  public void open() {
    map = vertx.sharedData().<String, Object>getAsyncMap(BusAddresses.MEMBERS).await();
  }

  private AsyncMap<String, Object> map() {
    if (map == null) {
      throw new IllegalStateException("this worker has not joined a world");
    }
    return map;
  }

  private <T> Future<T> bounded(Future<T> answer) {
    return answer.timeout(patience.toMillis(), TimeUnit.MILLISECONDS);
  }

  /// Claims a key if it is free, or held by something that is not an entry. Blocks.
  ///
  /// @return the current holder, or null if this member has claimed the key
  @Nullable Object putIfAbsent(String key, Member member) {
    try {
      return map().putIfAbsent(key, member.encode()).await();
    } catch (HazelcastSerializationException e) {
      report(key, e);
      map().put(key, member.encode()).await();
      return null;
    }
  }

  /// Returns all valid entries.
  public Future<List<Member>> members() {
    return bounded(host.values(BusAddresses.MEMBERS))
        .map(entries -> entries.stream().map(Member::read).filter(Objects::nonNull).toList());
  }

  /// Returns the member with this name, or null if there is no valid entry for it.
  Future<@Nullable Member> named(String name) {
    String key = nameKey(name);
    return bounded(map().get(key))
        .recover(
            error ->
                error instanceof HazelcastSerializationException
                    ? unreadable(key, error)
                    : Future.failedFuture(error))
        .map(entry -> entry == null ? null : Member.read(entry));
  }

  private Future<@Nullable Object> unreadable(String key, Throwable error) {
    report(key, error);
    return Future.succeededFuture(null);
  }

  private void report(String key, Throwable error) {
    if (isReported.compareAndSet(false, true)) {
      LOG.log(
          Level.WARNING,
          "the register's value of {0} is not an entry: {1}",
          key,
          error.getMessage());
    }
  }

  /// Removes a key if it still has this holder.
  Future<Boolean> remove(String key, Object holder) {
    return map().removeIfPresent(key, holder);
  }

  /// Removes the keys of a worker that is gone.
  Future<?> remove(Member member) {
    String entry = member.encode();
    return Future.join(remove(rankKey(member), entry), remove(nameKey(member), entry))
        .timeout(LEAVING.toMillis(), TimeUnit.MILLISECONDS)
        .otherwiseEmpty(); // the cluster may be shutting down, so an error is of no use
  }
}
