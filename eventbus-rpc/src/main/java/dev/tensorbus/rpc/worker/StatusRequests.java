// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.worker;

import dev.tensorbus.rpc.observe.status.WorkerStatus;
import dev.tensorbus.rpc.observe.status.WorldStatus;
import dev.tensorbus.rpc.thread.Threads;
import dev.tensorbus.rpc.wire.Sender;
import dev.tensorbus.rpc.world.membership.ClusterNode;
import dev.tensorbus.rpc.world.membership.Member;
import dev.tensorbus.rpc.world.membership.Register;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.json.JsonObject;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;

/// Requests the status of all workers of a world ([dev.tensorbus.rpc.Rpc#worldStatus]).
public final class StatusRequests {
  private static final System.Logger LOG = System.getLogger(StatusRequests.class.getName());

  /// The maximum length of an answer. An answer takes a few hundred bytes for each call and each
  /// other worker.
  private static final int LONGEST = 1 << 20;

  private final Vertx vertx;
  private final Duration limit;

  private StatusRequests(Vertx vertx, Duration limit) {
    this.vertx = vertx;
    this.limit = limit;
  }

  /// Requests the status of the world of which this Vertx is a node.
  ///
  /// @param limit how long to wait for the answers
  public static Future<WorldStatus> ask(Vertx vertx, Duration limit) {
    StatusRequests requests = new StatusRequests(vertx, limit);
    return Threads.system().call("tensorbus-status", requests::ask);
  }

  private WorldStatus ask() {
    ClusterNode host = ClusterNode.of(vertx);
    Register register = new Register(vertx, host, limit);
    register.open();
    List<Sender> workers =
        register.members().await().stream()
            .filter(member -> host.isAlive(member.node()))
            .map(Member::sender)
            .distinct()
            .sorted(Comparator.comparingInt(worker -> worker.info().id()))
            .toList();
    List<Future<WorkerStatus>> answers = workers.stream().map(this::ask).toList();
    Future.join(answers).otherwiseEmpty().await();
    return new WorldStatus(
        answers.stream().filter(Future::succeeded).map(Future::result).toList(),
        workers.stream()
            .filter(worker -> answers.get(workers.indexOf(worker)).failed())
            .map(worker -> worker.info().name())
            .toList());
  }

  private Future<WorkerStatus> ask(Sender worker) {
    DeliveryOptions options = new DeliveryOptions().setSendTimeout(limit.toMillis());
    return vertx
        .eventBus()
        .<Object>request(worker.statusAddress(), "", options)
        .map(answer -> read(worker, answer))
        .onFailure(e -> LOG.log(Level.DEBUG, () -> worker.info() + " is silent: " + e));
  }

  /// @throws IllegalArgumentException if the answer is not a status, or is the status of another
  ///     worker
  private static WorkerStatus read(Sender worker, Message<Object> answer) {
    if (!(answer.body() instanceof String text) || text.length() > LONGEST) {
      throw new IllegalArgumentException("this is not the status of " + worker.info());
    }
    WorkerStatus status = WorkerStatus.fromJson(new JsonObject(text));
    if (!status.worker().equals(worker.info().name())) {
      throw new IllegalArgumentException("this is the status of " + status.worker());
    }
    return status;
  }
}
