// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.client;

import dev.tensorbus.optim.server.client.Agreement.Seat;
import dev.tensorbus.optim.server.replica.BackupMessage;
import dev.tensorbus.optim.server.replica.ConsistencyAnswer;
import dev.tensorbus.optim.server.replica.ConsistencyRequest;
import dev.tensorbus.optim.server.replica.JoinAnswer;
import dev.tensorbus.optim.server.replica.JoinRequest;
import dev.tensorbus.optim.server.replica.LeaveRequest;
import dev.tensorbus.optim.server.replica.PullAnswer;
import dev.tensorbus.optim.server.replica.PullRequest;
import dev.tensorbus.optim.server.replica.PushRequest;
import dev.tensorbus.optim.server.replica.RestoreRequest;
import dev.tensorbus.optim.server.replica.SlotAnswer;
import dev.tensorbus.optim.server.replica.SlotServer;
import dev.tensorbus.optim.server.replica.StateAnswer;
import dev.tensorbus.optim.server.replica.StateRequest;
import dev.tensorbus.optim.server.replica.Surroundings;
import dev.tensorbus.optim.server.replica.TrainersAnswer;
import dev.tensorbus.optim.server.slot.Life;
import dev.tensorbus.optim.server.slot.MapChange;
import dev.tensorbus.optim.server.slot.SlotMap;
import dev.tensorbus.rpc.testing.SimulatedNode;
import dev.tensorbus.rpc.testing.Simulation;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;

/// Parameter servers and trainers in a [Simulation].
final class SimulatedStore {
  private static final Duration CALL_TIMEOUT = Duration.ofMillis(200);

  /// The longest time after which a worker is notified of another one's death, in milliseconds.
  private static final int NOTICE = 40;

  final Simulation simulation;
  final SortedMap<String, SlotServer> servers = new TreeMap<>();
  final List<String> names;
  final Agreement agreement;
  private final boolean losesMessages;
  private final Observer observer;
  private final Map<String, ServerNode> nodes = new TreeMap<>();
  private final Set<String> dead = new HashSet<>();
  private final List<Caller> callers = new ArrayList<>();
  private SlotMap newest;
  private long calls;
  private long lives;

  /// A message of a call, or its answer. Its text is what enters the trace.
  private record Request(
      long call, String method, Object content, Function<SlotServer, Future<?>> handler) {
    @Override
    public String toString() {
      return "%s %d %x".formatted(method, call, ContentHash.of(content));
    }
  }

  private record Answer(long call, Object value) {
    @Override
    public String toString() {
      return "answer %d %x".formatted(call, ContentHash.of(value));
    }
  }

  /// Thrown if a call was not answered in time, or the server has died.
  static final class Unanswered extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  SimulatedStore(long seed, SlotMap.Settings settings) {
    this(seed, settings, false, true, Observer.NONE);
  }

  /// @param votes whether the servers agree by voting, and clocks drift
  /// @param losesMessages whether messages may be lost, so that calls have a timeout. Otherwise a
  ///     call ends only when it is answered or the server dies
  SimulatedStore(
      long seed,
      SlotMap.Settings settings,
      boolean votes,
      boolean losesMessages,
      Observer observer) {
    this.observer = observer;
    this.losesMessages = losesMessages;
    simulation = new Simulation(seed);
    simulation.setLatency(Duration.ofNanos(100_000), Duration.ofMillis(3));
    newest = SlotMap.empty(settings);
    names = IntStream.range(0, settings.servers()).mapToObj(i -> "server" + i).toList();
    if (votes) {
      simulation.setDrift(0.005);
      agreement = new RaftAgreement(names, newest);
    } else {
      agreement = new CentralAgreement(simulation, newest);
    }
    names.forEach(this::startServer);
  }

  /// The newest map on which the servers have agreed.
  SlotMap map() {
    return newest;
  }

  private void learned(SlotMap map) {
    newest = map.epoch() > newest.epoch() ? map : newest;
    observer.learned(map);
  }

  /// Whether messages may be lost.
  boolean losesMessages() {
    return losesMessages;
  }

  Life life(String worker) {
    return new Life(worker, ++lives);
  }

  void startServer(String name) {
    nodes.put(name, new ServerNode(name));
  }

  /// Kills a server. The others are notified a little later.
  void killServer(String name) {
    lose(name);
    servers.remove(name);
    nodes.remove(name);
    agreement.left(name);
    kill(name);
  }

  /// Notifies the other servers, a little later, that a server was lost. It may be alive.
  void lose(String server) {
    Life life = Objects.requireNonNull(nodes.get(server)).life;
    nodes.values().stream()
        .filter(other -> !other.life.equals(life))
        .forEach(other -> other.node.after(notice(), () -> other.lostServer(life)));
  }

  /// Notifies a server that it has lost the others.
  void loseOthers(String server) {
    ServerNode alone = Objects.requireNonNull(nodes.get(server));
    nodes.values().stream()
        .filter(other -> other != alone)
        .forEach(other -> alone.node.after(notice(), () -> alone.lostServer(other.life)));
  }

  /// Kills servers one after another, each when all slots have a backup again, and starts them
  /// again.
  ///
  /// @param pause the least time before each kill
  void killServersInTurn(int kills, Duration pause) {
    if (kills == 0) {
      return;
    }
    simulation.after(
        pause.plusMillis(simulation.random().nextInt(200)),
        () -> {
          boolean isSafe = map().replicas().stream().allMatch(replicas -> replicas.size() == 2);
          if (isSafe) {
            List<String> all = List.copyOf(servers.keySet());
            String victim = all.get(simulation.random().nextInt(all.size()));
            killServer(victim);
            simulation.after(Duration.ofMillis(50), () -> startServer(victim));
          }
          killServersInTurn(isSafe ? kills - 1 : kills, pause);
        });
  }

  /// Kills a trainer. The servers are notified a little later.
  void killTrainer(String name) {
    dead.add(name);
    kill(name);
    nodes.values().forEach(other -> other.node.after(notice(), () -> other.lostTrainer(name)));
  }

  private void kill(String name) {
    simulation.kill(name);
    observer.died(name);
    callers.removeIf(caller -> !caller.node.isAlive());
    callers.forEach(caller -> caller.died(name));
  }

  private Duration notice() {
    return Duration.ofMillis(simulation.random().nextInt(NOTICE));
  }

  /// A server, and what it needs.
  private final class ServerNode implements Surroundings {
    private final SimulatedNode node;
    private final Life life;
    private final Caller caller;
    private final Set<String> lost = new HashSet<>(dead);
    private final Seat seat;
    private final SlotServer server;

    private ServerNode(String name) {
      node = simulation.start(name);
      life = life(name);
      caller = new Caller(node);
      server = new SlotServer(life, SlotMap.empty(newest.settings()), this);
      servers.put(name, server);
      seat = agreement.join(node, this::learn);
      node.onMessage(this::receive);
      seat.propose(new MapChange.Joined(life));
    }

    private void learn(SlotMap map) {
      learned(map);
      node.execute(() -> server.setMap(map));
    }

    private void receive(String from, Object message) {
      if (seat.receive(from, message)) {
        return;
      }
      switch (message) {
        case Request request -> answer(from, request);
        case Answer answer -> caller.receive(answer);
        default -> throw new IllegalArgumentException(message.toString());
      }
    }

    private void answer(String from, Request request) {
      SlotMap map = server.map();
      Future<?> result;
      try {
        result = request.handler().apply(server);
      } catch (RuntimeException e) {
        result = Future.failedFuture(e);
      }
      observer.received(life, server, map, request.content(), result);
      result.onComplete(
          ended ->
              node.send(
                  from,
                  new Answer(request.call(), ended.succeeded() ? ended.result() : ended.cause())));
    }

    private void lostServer(Life other) {
      seat.lost(other.worker());
      if (server.map().servers().contains(other)) {
        propose(new MapChange.Left(other));
      }
    }

    private void lostTrainer(String name) {
      lost.add(name);
      server.lose(name);
    }

    @Override
    public Future<List<Boolean>> send(BackupMessage message) {
      observer.replicates(life, server, message);
      return caller.call(message.to().worker(), "backUp", message, other -> other.handle(message));
    }

    @Override
    public void propose(MapChange change) {
      seat.propose(change);
    }

    @Override
    public boolean isLive() {
      return seat.isLive();
    }

    @Override
    public boolean isPresent(String worker) {
      return !lost.contains(worker) || simulation.nodes().contains(worker); // it may be back
    }

    @Override
    public void after(Duration time, Runnable action) {
      node.after(time, action);
    }
  }

  /// Makes calls on a node.
  final class Caller {
    private final SimulatedNode node;
    private final SortedMap<Long, Pending> pending = new TreeMap<>();

    private record Pending(String to, Promise<Object> answer) {}

    Caller(SimulatedNode node) {
      this.node = node;
      callers.add(this);
    }

    @SuppressWarnings("unchecked") // the answer of the handler
    <T> Future<T> call(
        String to, String method, Object content, Function<SlotServer, Future<T>> handler) {
      long call = ++calls;
      Promise<Object> answer = Promise.promise();
      pending.put(call, new Pending(to, answer));
      node.send(to, new Request(call, method, content, handler::apply));
      if (losesMessages) {
        failAfter(CALL_TIMEOUT, call);
      } else if (!servers.containsKey(to)) {
        failAfter(notice(), call);
      }
      return answer.future().map(value -> (T) value);
    }

    private void failAfter(Duration time, long call) {
      node.after(
          time,
          () -> {
            Pending late = pending.remove(call);
            if (late != null) {
              late.answer().fail(new Unanswered());
            }
          });
    }

    /// Notices the death of a worker a little later.
    private void died(String worker) {
      if (!losesMessages) {
        Duration time = notice();
        pending.forEach(
            (call, one) -> {
              if (one.to().equals(worker)) {
                failAfter(time, call);
              }
            });
      }
    }

    void receive(Answer answer) {
      Pending one = pending.remove(answer.call());
      if (one == null) {
        return;
      }
      if (answer.value() instanceof Throwable error) {
        one.answer().fail(error);
      } else {
        one.answer().complete(answer.value());
      }
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

    private <T> Future<T> call(
        Life server, String method, Object request, Function<SlotServer, Future<T>> handler) {
      store.observer.asked(request);
      return caller.call(server.worker(), method, request, handler);
    }

    @Override
    public Future<JoinAnswer> join(Life server, JoinRequest request) {
      return call(server, "join", request, it -> it.join(request));
    }

    @Override
    public Future<SlotAnswer> push(Life server, PushRequest request) {
      return call(server, "push", request, it -> it.push(request));
    }

    @Override
    public Future<PullAnswer> pull(Life server, PullRequest request) {
      return call(server, "pull", request, it -> it.pull(request));
    }

    @Override
    public Future<StateAnswer> state(Life server, StateRequest request) {
      return call(server, "state", request, it -> it.state(request));
    }

    @Override
    public Future<TrainersAnswer> trainers(Life server, StateRequest request) {
      return call(server, "trainers", request, it -> it.trainers(request));
    }

    @Override
    public Future<SlotAnswer> restore(Life server, RestoreRequest request) {
      return call(server, "restore", request, it -> it.restore(request));
    }

    @Override
    public Future<ConsistencyAnswer> change(Life server, ConsistencyRequest request) {
      return call(server, "change", request, it -> it.change(request));
    }

    @Override
    public Future<SlotAnswer> leave(Life server, LeaveRequest request) {
      return call(server, "leave", request, it -> it.leave(request));
    }

    @Override
    public Future<SlotMap> map(int turn, SlotMap known) {
      String server = store.names.get(turn % store.names.size());
      return caller.call(server, "map", turn, it -> Future.succeededFuture(it.map()));
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
