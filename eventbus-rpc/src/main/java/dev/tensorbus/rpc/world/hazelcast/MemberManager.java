// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.world.hazelcast;

import com.hazelcast.cluster.MembershipEvent;
import com.hazelcast.config.Config;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.instance.impl.HazelcastInstanceFactory;
import dev.tensorbus.rpc.thread.time.Deadline;
import dev.tensorbus.rpc.thread.time.NanoClock;
import dev.tensorbus.rpc.transport.listen.Certificates;
import io.vertx.core.Completable;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.spi.cluster.hazelcast.HazelcastClusterManager;
import java.lang.System.Logger.Level;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Embeds a Hazelcast member that passes a [MemberGate], which vertx-hazelcast cannot create by
/// itself. The member is created when Vert.x joins the cluster, and ends when Vert.x leaves it.
///
/// Retries joining a world until it succeeds or a limit expires. Hazelcast's own joiner gives up
/// once a connection to its required member takes more than a second, as happens when many workers
/// start at once or a packet is lost.
public final class MemberManager extends HazelcastClusterManager {
  private static final System.Logger LOG = System.getLogger(MemberManager.class.getName());
  private static final long WARNING_MILLIS = TimeUnit.MINUTES.toMillis(1);
  private static final String JOIN_LIMIT = "hazelcast.max.join.seconds";
  private static final long REPEAT_MILLIS = TimeUnit.SECONDS.toMillis(1);

  private final Config config;
  private final LateMember member;
  private final Duration limit;
  private final @Nullable String warning;
  private final @Nullable Certificates certificates;
  private @Nullable Vertx vertx;

  private MemberManager(
      Config config, MemberGate gate, LateMember member, Duration limit, @Nullable String warning) {
    super(member.proxy());
    certificates = gate.certificates();
    this.config = config;
    this.member = member;
    this.limit = limit;
    this.warning = warning;
  }

  /// Creates a manager.
  ///
  /// @param limit how long to retry joining; zero to try once
  /// @param warning logged each minute while the member is in the cluster, or null
  public static MemberManager of(
      Config config, MemberGate gate, Duration limit, @Nullable String warning) {
    config.setProperty("hazelcast.shutdownhook.enabled", "false"); // Vert.x has one
    config
        .getMemberAttributeConfig()
        .setAttribute(MemberConfig.NODE_ID, UUID.randomUUID().toString());
    return new MemberManager(
        config, gate, new LateMember(() -> create(config, gate)), limit, warning);
  }

  /// Creates a member.
  static HazelcastInstance create(Config config, MemberGate gate) {
    return HazelcastInstanceFactory.newHazelcastInstance(
        config, config.getInstanceName(), gate.context());
  }

  /// Limits how long Hazelcast's joiner tries.
  static void limitJoin(Config config, Duration limit) {
    config.setProperty(JOIN_LIMIT, Long.toString(Math.max(1, limit.toSeconds())));
  }

  /// Returns the certificates of this process, or null. With them, everything that workers send to
  /// each other is encrypted.
  public @Nullable Certificates certificates() {
    return certificates;
  }

  @Override
  public Config getConfig() {
    return config;
  }

  @Override
  public @Nullable HazelcastInstance getHazelcastInstance() {
    return member.instance;
  }

  @Override
  public void init(Vertx vertx) {
    this.vertx = vertx;
    super.init(vertx);
  }

  @Override
  public void join(Completable<Void> promise) {
    joinUntil(Deadline.after(limit, NanoClock.SYSTEM), promise);
  }

  private void joinUntil(Deadline end, Completable<Void> promise) {
    member.forget();
    if (!limit.isZero()) {
      limitJoin(config, end.left());
    }
    super.join(
        (_, error) -> {
          if (!isGivenUp(error) || end.isOver()) {
            if (error == null) {
              warnRegularly();
            }
            promise.complete(null, error);
          } else {
            // Makes another join possible. Leaving fails, since nothing was joined.
            leave((_, _) -> joinUntil(end, promise));
          }
        });
  }

  private void warnRegularly() {
    Vertx here = vertx;
    if (warning != null && here != null) {
      LOG.log(Level.WARNING, warning);
      here.setPeriodic(WARNING_MILLIS, _ -> LOG.log(Level.WARNING, warning));
    }
  }

  /// Returns whether Hazelcast's joiner has given up. Other errors would recur.
  private static boolean isGivenUp(@Nullable Throwable error) {
    return error instanceof IllegalStateException;
  }

  /// Removes what a dead node has registered. The oldest member does so at once, and each of the
  /// others a second after the one before it, in case the others could not. Left to itself,
  /// vertx-hazelcast lets all members read the whole register at once, and delete the same entries,
  /// just when they need the processors to replace the dead node.
  @Override
  public synchronized void memberRemoved(MembershipEvent event) {
    Vertx here = vertx;
    long older = event.getMembers().stream().takeWhile(each -> !each.localMember()).count();
    if (older == 0 || here == null) {
      super.memberRemoved(event);
    } else if (isActive()) {
      here.setTimer(older * REPEAT_MILLIS, _ -> removeLater(here, event));
    }
  }

  private void removeLater(Vertx here, MembershipEvent event) {
    Future<Object> _ =
        here.executeBlocking(
            () -> {
              super.memberRemoved(event);
              return null;
            },
            false);
  }

  @Override
  public void leave(Completable<Void> promise) {
    super.leave((_, error) -> shutDown(error, promise));
  }

  private void shutDown(@Nullable Throwable error, Completable<Void> promise) {
    Vertx here = vertx;
    if (here == null) {
      promise.complete(null, error);
      return;
    }
    here.<Void>executeBlocking(
            () -> {
              member.shutDown();
              return null;
            },
            false)
        .onComplete((_, failure) -> promise.complete(null, error == null ? failure : error));
  }

  /// A member that is created by the first call of one of its methods.
  private static final class LateMember implements InvocationHandler {
    private static final long RETRY_MILLIS = 1;

    private final Callable<HazelcastInstance> creation;
    private volatile @Nullable HazelcastInstance instance;

    LateMember(Callable<HazelcastInstance> creation) {
      this.creation = creation;
    }

    HazelcastInstance proxy() {
      Class<HazelcastInstance> type = HazelcastInstance.class;
      return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, this));
    }

    @Override
    public @Nullable Object invoke(
        Object proxy, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
      try {
        return method.invoke(get(), arguments);
      } catch (InvocationTargetException e) {
        throw e.getCause();
      }
    }

    private synchronized HazelcastInstance get() throws Exception {
      HazelcastInstance made = instance;
      if (made == null) {
        made = creation.call();
        instance = made;
      }
      return made;
    }

    /// Forgets a member that has been shut down, so that another one is created.
    synchronized void forget() {
      instance = null;
    }

    void shutDown() throws InterruptedException {
      HazelcastInstance made = instance;
      while (made != null && made.getLifecycleService().isRunning()) {
        try {
          made.getLifecycleService().shutdown();
        } catch (RejectedExecutionException e) {
          Thread.sleep(RETRY_MILLIS); // Hazelcast sometimes rejects its own task; so does Vert.x
        }
      }
    }
  }
}
