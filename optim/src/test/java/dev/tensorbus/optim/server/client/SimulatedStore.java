// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.client;

import dev.tensorbus.optim.server.replica.BackupMessage;
import dev.tensorbus.optim.server.replica.JoinRequest;
import dev.tensorbus.optim.server.replica.LeaveRequest;
import dev.tensorbus.optim.server.replica.PullAnswer;
import dev.tensorbus.optim.server.replica.PullRequest;
import dev.tensorbus.optim.server.replica.PushRequest;
import dev.tensorbus.optim.server.replica.SlotAnswer;
import dev.tensorbus.optim.server.replica.SlotServer;
import dev.tensorbus.optim.server.replica.Surroundings;
import dev.tensorbus.optim.server.slot.Life;
import dev.tensorbus.optim.server.slot.MapChange;
import dev.tensorbus.optim.server.slot.SlotMap;
import dev.tensorbus.rpc.testing.SimulatedNode;
import dev.tensorbus.rpc.testing.Simulation;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/// Parameter servers and trainers in a [Simulation]. A node named `agreement`, which never dies,
/// stands for the servers' majority.
final class SimulatedStore {
  private static final Duration RETRY = Duration.ofMillis(25);
  private static final Duration CALL_TIMEOUT = Duration.ofMillis(200);

  final Simulation simulation;
  final SortedMap<String, SlotServer> servers = new TreeMap<>();
  private final SimulatedNode agreement;
  private final List<SlotMap> history = new ArrayList<>();
  private SlotMap agreed;
  private long calls;
  private long lives;

  /// A message of a call, or its answer. Its text is what enters the trace.
  private record Request(long call, String method, Function<SlotServer, Future<?>> handler) {
    @Override
    public String toString() {
      return method + " " + call;
    }
  }

  private record Answer(long call, Object value) {
    @Override
    public String toString() {
      return "answer " + call;
    }
  }

  private record NewMaps(List<SlotMap> maps) {
    @Override
    public String toString() {
      return "map " + maps.getLast().epoch();
    }
  }

  /// Thrown if a call was not answered in time.
  static final class Unanswered extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  SimulatedStore(long seed, SlotMap.Settings settings) {
    simulation = new Simulation(seed);
    simulation.setLatency(Duration.ofNanos(100_000), Duration.ofMillis(3));
    agreed = SlotMap.empty(settings);
    agreement = simulation.start("agreement");
    agreement.onMessage((from, change) -> agree((MapChange) change));
    for (int i = 0; i < settings.servers(); i++) {
      startServer("server" + i);
    }
  }

  /// The map on which the servers have agreed.
  SlotMap map() {
    return agreed;
  }

  private void agree(MapChange change) {
    SlotMap next = agreed.after(change);
    if (next.epoch() > agreed.epoch()) {
      agreed = next;
      history.add(next);
      servers.keySet().forEach(this::tellMaps);
    }
  }

  private void tellMaps(String server) {
    SlotServer it = servers.get(server);
    List<SlotMap> unknown =
        history.stream().filter(map -> it != null && map.epoch() > it.map().epoch()).toList();
    if (!unknown.isEmpty()) {
      agreement.send(server, new NewMaps(unknown));
    }
  }

  Life life(String worker) {
    return new Life(worker, ++lives);
  }

  void startServer(String name) {
    SimulatedNode node = simulation.start(name);
    Life life = life(name);
    Caller caller = new Caller(node);
    SlotServer server = new SlotServer(life, agreed, new NodeSurroundings(node, caller));
    servers.put(name, server);
    node.onMessage(
        (from, message) -> {
          switch (message) {
            case Request request -> answer(node, from, request, server);
            case NewMaps(List<SlotMap> maps) -> maps.forEach(server::setMap);
            default -> caller.receive((Answer) message);
          }
        });
    node.clock().every(RETRY, () -> tellMaps(name)); // maps may be lost on their way
    node.clock().every(RETRY, () -> join(node, life, server));
  }

  private static void join(SimulatedNode node, Life life, SlotServer server) {
    if (!server.map().servers().contains(life)) {
      node.send("agreement", new MapChange.Joined(life));
    }
  }

  private void answer(SimulatedNode node, String from, Request request, SlotServer server) {
    Future<?> result;
    try {
      result = request.handler().apply(server);
    } catch (RuntimeException e) {
      result = Future.failedFuture(e);
    }
    result.onComplete(
        ended ->
            node.send(
                from,
                new Answer(request.call(), ended.succeeded() ? ended.result() : ended.cause())));
  }

  /// Kills a server. The majority finds it out a little later.
  void killServer(String name) {
    servers.remove(name);
    simulation.kill(name);
    agreed.servers().stream()
        .filter(life -> life.worker().equals(name))
        .forEach(
            life -> agreement.after(Duration.ofMillis(30), () -> agree(new MapChange.Left(life))));
  }

  /// Kills a trainer. The servers find it out a little later.
  void killTrainer(String name) {
    simulation.kill(name);
    servers.forEach(
        (server, it) ->
            simulation
                .node(server)
                .after(Duration.ofMillis(simulation.random().nextInt(40)), () -> it.lose(name)));
  }

  /// Makes calls on a node.
  final class Caller {
    private final SimulatedNode node;
    private final Map<Long, Promise<Object>> pending = new HashMap<>();

    Caller(SimulatedNode node) {
      this.node = node;
    }

    @SuppressWarnings("unchecked") // the answer of the handler
    <T> Future<T> call(String to, String method, Function<SlotServer, Future<T>> handler) {
      long call = ++calls;
      Promise<Object> answer = Promise.promise();
      pending.put(call, answer);
      node.send(to, new Request(call, method, handler::apply));
      node.after(
          CALL_TIMEOUT,
          () -> {
            if (pending.remove(call) != null) {
              answer.fail(new Unanswered());
            }
          });
      return answer.future().map(value -> (T) value);
    }

    void receive(Answer answer) {
      Promise<Object> promise = pending.remove(answer.call());
      if (promise == null) {
        return;
      }
      if (answer.value() instanceof Throwable error) {
        promise.fail(error);
      } else {
        promise.complete(answer.value());
      }
    }
  }

  private final class NodeSurroundings implements Surroundings {
    private final SimulatedNode node;
    private final Caller caller;

    private NodeSurroundings(SimulatedNode node, Caller caller) {
      this.node = node;
      this.caller = caller;
    }

    @Override
    public Future<List<Boolean>> send(BackupMessage message) {
      return caller.call(message.to().worker(), "backUp", server -> server.handle(message));
    }

    @Override
    public void propose(MapChange change) {
      node.send("agreement", change);
      node.after(RETRY, () -> node.send("agreement", change)); // the first may be lost
    }

    @Override
    public boolean isLive() {
      return true;
    }

    @Override
    public boolean isPresent(String worker) {
      return simulation.nodes().contains(worker);
    }

    @Override
    public void after(Duration time, Runnable action) {
      node.after(time, action);
    }
  }

  /// How a trainer reaches the servers.
  static final class TrainerCalls implements ServerCalls {
    private final SimulatedStore store;
    private final SimulatedNode node;
    private final Caller caller;

    TrainerCalls(SimulatedStore store, SimulatedNode node) {
      this.store = store;
      this.node = node;
      caller = store.new Caller(node);
      node.onMessage((from, message) -> caller.receive((Answer) message));
    }

    @Override
    public Future<SlotAnswer> join(Life server, JoinRequest request) {
      return caller.call(server.worker(), "join", it -> it.join(request));
    }

    @Override
    public Future<SlotAnswer> push(Life server, PushRequest request) {
      return caller.call(server.worker(), "push", it -> it.push(request));
    }

    @Override
    public Future<PullAnswer> pull(Life server, PullRequest request) {
      return caller.call(server.worker(), "pull", it -> it.pull(request));
    }

    @Override
    public Future<SlotAnswer> leave(Life server, LeaveRequest request) {
      return caller.call(server.worker(), "leave", it -> it.leave(request));
    }

    @Override
    public Future<SlotMap> map(int turn) {
      List<String> all = new ArrayList<>(store.servers.keySet());
      return caller.call(all.get(turn % all.size()), "map", it -> Future.succeededFuture(it.map()));
    }

    @Override
    public boolean isTransient(Throwable error) {
      return error instanceof Unanswered;
    }

    @Override
    public long nanoTime() {
      return node.clock().nanoTime();
    }

    @Override
    public void after(Duration time, Runnable action) {
      node.after(time, action);
    }
  }
}
