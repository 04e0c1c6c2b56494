// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.membership;

import dev.tensorbus.rpc.wire.BusAddresses;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.shareddata.AsyncMap;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The register of a world, a map in the cluster. It holds each worker under its rank and under its
/// name.
///
/// The cluster may hold an entry on the other side of a cut. So nobody waits for one any longer
/// than for a silent worker.
public final class Register {
  /// A worker that leaves has no need to know that its entries are removed.
  private static final Duration LEAVING = Duration.ofSeconds(1);

  private final Vertx vertx;
  private final Duration patience;

  private @Nullable AsyncMap<String, Object> map;

  /// @param patience how long an answer is waited for
  public Register(Vertx vertx, Duration patience) {
    this.vertx = vertx;
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

  /// Blocks.
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

  /// Takes a place if it is free. Blocks.
  ///
  /// @return who has it, or null if it is this member's now
  @Nullable Object putIfAbsent(String key, Member member) {
    return map().putIfAbsent(key, member.encode()).await();
  }

  /// All that it holds of workers.
  public Future<List<Member>> members() {
    return bounded(map().values())
        .map(entries -> entries.stream().map(Member::read).filter(Objects::nonNull).toList());
  }

  /// Whoever has a name, or null.
  Future<@Nullable Member> named(String name) {
    return bounded(map().get(nameKey(name)))
        .map(entry -> entry == null ? null : Member.read(entry));
  }

  /// Frees a place if it is still held so.
  Future<Boolean> remove(String key, Object holder) {
    return map().removeIfPresent(key, holder);
  }

  /// Frees the places of a worker that is gone.
  Future<?> remove(Member member) {
    String entry = member.encode();
    return Future.join(remove(rankKey(member), entry), remove(nameKey(member), entry))
        .timeout(LEAVING.toMillis(), TimeUnit.MILLISECONDS)
        .otherwiseEmpty(); // the cluster may be half gone already; nobody is left to complain to
  }
}
