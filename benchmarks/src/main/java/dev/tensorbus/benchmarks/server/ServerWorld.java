// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.server;

import dev.tensorbus.launch.Jvm;
import dev.tensorbus.optim.server.ServerOptions;
import dev.tensorbus.rpc.CallOptions;
import dev.tensorbus.rpc.FreePort;
import dev.tensorbus.rpc.RemoteFunction.F0;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.RpcException;
import dev.tensorbus.rpc.RpcOptions;
import io.vertx.core.Vertx;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// A world of parameter servers and trainers in processes of their own, which can be killed and
/// started again. This process is a worker of the world, too, and the only one that is never
/// killed.
public final class ServerWorld implements AutoCloseable {
  /// The ranks of a process, which may have several workers.
  static final int RANKS_PER_PROCESS = 100;

  /// Many JVMs share few cores, and end before C2 would pay off.
  private static final List<String> FLAGS =
      List.of("-XX:TieredStopAtLevel=1", "-Xms64m", "-Xmx512m", "-Dtensorbus.threads=1");

  private static final Duration PATIENCE = Duration.ofMinutes(4);
  private static final long POLL_MILLIS = 10;

  private final ServerOptions options;
  private final Consumer<String> output;
  private final int port = FreePort.find();
  private final List<String> names = new ArrayList<>();
  private final Map<String, Process> processes = new ConcurrentHashMap<>();
  private final Vertx vertx;
  private final Rpc rpc;

  /// The workers of this process besides [#rpc].
  private final List<Rpc> others = new ArrayList<>();

  /// Opens a world without processes.
  ///
  /// @param output receives the lines that the processes print
  public ServerWorld(ServerOptions options, Consumer<String> output) {
    this.options = options;
    this.output = output;
    vertx = WorldMember.cluster(port, true).start();
    rpc = Rpc.open(vertx, "bench", RpcOptions.dynamic(0)).await();
  }

  /// Returns `server1`, `server2` and so on.
  public static String[] serverNames(int count) {
    return Stream.iterate(1, i -> i + 1).limit(count).map(i -> "server" + i).toArray(String[]::new);
  }

  /// Returns the options of the servers.
  public ServerOptions options() {
    return options;
  }

  /// Returns the worker of this process.
  public Rpc rpc() {
    return rpc;
  }

  /// Opens another worker in this process, which leaves when this world is closed.
  Rpc open(String name) {
    names.add(name);
    Rpc worker = Rpc.open(vertx, name, RpcOptions.dynamic(firstRank(name))).await();
    others.add(worker);
    return worker;
  }

  private int firstRank(String name) {
    return 1 + names.indexOf(name) * RANKS_PER_PROCESS;
  }

  /// Returns the number of bytes that all servers have sent.
  long sentByServers() {
    return options.servers().stream()
        .mapToLong(server -> rpc.rpcSync(server, ServerMain::sentBytes))
        .sum();
  }

  /// Starts the servers, and waits until they have agreed on their slots.
  public void startServers() {
    options.servers().forEach(this::startServer);
    options.witnesses().forEach(this::startServer);
    awaitComplete();
  }

  /// Starts a server, perhaps again, or a witness. A name that is not in the options is a server
  /// that is added.
  public void startServer(String name) {
    start(name, ServerMain.class, ServerMain.arguments(options));
  }

  /// Moves the parameters of a server to the others, and ends its process.
  public void drain(String server) {
    rpc.with(CallOptions.timeout(PATIENCE)).rpcSync(server, ServerMain::drain);
    kill(server);
  }

  /// Waits until a server that was added has its slots.
  public void awaitAdded(String server) {
    await(server + " has its slots", _ -> answers(server, ServerMain::isAdded));
  }

  /// Starts a process, perhaps again.
  ///
  /// @param main the program, which joins the world by [WorldMember#join]
  /// @param arguments what follows the arguments that all programs have
  public void start(String name, Class<?> main, String... arguments) {
    if (!names.contains(name)) {
      names.add(name);
    }
    List<String> all = new ArrayList<>(List.of(Integer.toString(port), name));
    all.add(Integer.toString(firstRank(name)));
    all.addAll(Arrays.asList(arguments));
    Process process = start(Jvm.current().command(FLAGS, main.getName(), all));
    processes.put(name, process);
    Thread.ofVirtual().start(() -> read(process));
  }

  private static Process start(List<String> command) {
    try {
      return new ProcessBuilder(command).redirectError(Redirect.INHERIT).start();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start " + String.join(" ", command), e);
    }
  }

  private void read(Process process) {
    try (BufferedReader reader = process.inputReader()) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        output.accept(line);
      }
    } catch (IOException e) {
      return; // a killed process may leave its stream broken
    }
  }

  /// Kills a process with SIGKILL.
  public void kill(String name) {
    kill(process(name));
  }

  private static void kill(Process process) {
    process.toHandle().destroyForcibly(); // Process.destroyForcibly would also close its output
    process.onExit().join();
  }

  private Process process(String name) {
    Process process = processes.get(name);
    if (process == null) {
      throw new IllegalArgumentException("no process " + name + "; known: " + names);
    }
    return process;
  }

  /// Returns the id of a process.
  public long pid(String name) {
    return process(name).pid();
  }

  /// Waits until all servers are alive and each parameter has all its copies.
  public void awaitComplete() {
    await("the servers have all copies", _ -> isComplete());
  }

  private boolean isComplete() {
    return options.servers().stream().allMatch(name -> answers(name, ServerMain::isComplete));
  }

  /// Returns whether a server leads the agreement of the servers.
  public boolean isLeader(String server) {
    return answers(server, ServerMain::isLeader);
  }

  /// Returns the number of slots of which a server is the primary.
  public int slots(String server) {
    return rpc.rpcSync(server, ServerMain::slots);
  }

  private boolean answers(String name, F0<Boolean> question) {
    try {
      return rpc.rpcSync(name, question);
    } catch (RpcException e) {
      return false; // it has not joined yet
    }
  }

  /// Waits until a worker has joined the world.
  public void awaitWorker(String name) {
    var _ = rpc.awaitWorker(name, PATIENCE).await();
  }

  /// Waits until a condition holds.
  ///
  /// @throws IllegalStateException if it does not within two minutes
  public void await(String what, Predicate<Rpc> condition) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.test(rpc)) {
      if (System.nanoTime() - end > 0) {
        throw new IllegalStateException(
            "waited %d s until %s".formatted(PATIENCE.toSeconds(), what));
      }
      sleep(Duration.ofMillis(POLL_MILLIS));
    }
  }

  static void sleep(Duration time) {
    try {
      Thread.sleep(time);
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted", e);
    }
  }

  /// Kills the remaining processes, and leaves. Each is killed when the death of the one before is
  /// known: if most members die within milliseconds, Hazelcast may be busy for ever.
  @Override
  public void close() {
    processes.forEach(
        (name, process) -> {
          kill(process);
          await("the death of " + name + " is known", _ -> !isPresent(name));
        });
    others.forEach(worker -> worker.leave().await());
    rpc.leave().await();
    vertx.close().await();
  }

  private boolean isPresent(String name) {
    return rpc.workers().stream().anyMatch(worker -> worker.name().equals(name));
  }
}
