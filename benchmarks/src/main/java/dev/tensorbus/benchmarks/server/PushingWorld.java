// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.server;

import dev.tensorbus.benchmarks.measure.Figure;
import dev.tensorbus.benchmarks.server.Killer.Killed;
import dev.tensorbus.benchmarks.server.PushCounts.Pushed;
import dev.tensorbus.optim.Sgd;
import dev.tensorbus.optim.server.ParameterStore;
import dev.tensorbus.optim.server.ServerOptions;
import dev.tensorbus.rpc.NoSuchWorkerException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Servers, and trainers that push whole numbers. Four trainers share a process, because the start
/// of a JVM takes seconds of processor time.
final class PushingWorld implements AutoCloseable {
  private static final int TRAINERS_PER_PROCESS = 4;

  private final String prefix;
  private final ServerWorld world;
  private final List<String> trainers;
  private final List<String> processes;
  private final Path folder = Files.createTempDirectory("tensorbus-pushes");
  private final Stalls stalls = new Stalls();
  private final List<String> failures = Collections.synchronizedList(new ArrayList<>());
  private final Killer killer;
  private long start;
  private double seconds;

  /// @param prefix the prefix of the figures
  PushingWorld(String prefix, ServerOptions servers, int trainers) throws IOException {
    this.prefix = prefix;
    this.trainers = IntStream.rangeClosed(1, trainers).mapToObj(i -> "trainer" + i).toList();
    processes =
        IntStream.rangeClosed(1, trainers / TRAINERS_PER_PROCESS)
            .mapToObj(i -> "trainers" + i)
            .toList();
    world = new ServerWorld(servers, this::read);
    killer = new Killer(world, processes, this::startTrainers);
  }

  private void read(String line) {
    if (!stalls.read(line)) {
      System.err.println(line);
      if (line.startsWith(PushingTrainers.FAILED)) {
        failures.add(line);
      }
    }
  }

  void start() {
    world.startServers();
    processes.forEach(this::startTrainers);
    trainers.forEach(world::awaitWorker);
    start = System.nanoTime();
  }

  private void startTrainers(String process) {
    int first = processes.indexOf(process) * TRAINERS_PER_PROCESS;
    world.start(
        process,
        PushingTrainers.class,
        String.join(",", world.options().servers()),
        String.join(",", trainers),
        String.join(",", trainers.subList(first, first + TRAINERS_PER_PROCESS)),
        folder.toString());
  }

  ServerWorld world() {
    return world;
  }

  Stalls stalls() {
    return stalls;
  }

  /// Carries out a plan.
  void carryOut(KillPlan plan) {
    killer.carryOut(plan, start);
    world.awaitComplete();
    trainers.forEach(world::awaitWorker);
  }

  /// Stops the trainers, prints the figures and what is wrong. Returns whether nothing is.
  boolean judge() {
    seconds = (System.nanoTime() - start) / 1e9;
    for (String trainer : trainers) {
      world.await(trainer + " has stopped", _ -> isStopped(trainer));
    }
    List<String> wrong = trainers.stream().flatMap(wrongSums()).toList();
    wrong.forEach(line -> System.err.println("WRONG " + line));
    print(wrong.size());
    return wrong.isEmpty() && failures.isEmpty();
  }

  private boolean isStopped(String trainer) {
    try {
      return world.rpc().rpcSync(trainer, PushingTrainers::stop);
    } catch (NoSuchWorkerException e) {
      return false; // it starts again
    }
  }

  private Function<String, Stream<String>> wrongSums() {
    String[] servers = world.options().servers().toArray(new String[0]);
    Sums sums = new Sums(trainers.size());
    try (var store =
        ParameterStore.join(
            world.rpc(), sums, new Sgd(1), PushingTrainers.options(servers, trainers.size()))) {
      store.pull().await();
    }
    return trainer -> wrong(sums, trainer);
  }

  private Stream<String> wrong(Sums sums, String trainer) {
    List<Pushed> lives = PushCounts.read(folder, trainer);
    return sums.of(trainers.indexOf(trainer)).stream()
        .map(sum -> PushCounts.wrong(lives, sum))
        .filter(Objects::nonNull)
        .map(what -> trainer + ": " + what);
  }

  private void print(int wrongSums) {
    long pushes =
        trainers.stream()
            .flatMap(trainer -> PushCounts.read(folder, trainer).stream())
            .mapToLong(Pushed::acknowledged)
            .sum();
    List<Killed> kills = killer.killed();
    List<Figure> figures = new ArrayList<>();
    figures.add(new Figure(prefix + "pushes", pushes, "pushes"));
    figures.add(new Figure(prefix + "throughput", pushes / seconds, "pushes/s"));
    if (!kills.isEmpty()) {
      figures.addAll(killFigures(kills));
    }
    figures.add(new Figure(prefix + "failed-calls", failures.size(), "calls"));
    figures.add(new Figure(prefix + "wrong-sums", wrongSums, "sums"));
    figures.forEach(System.out::println);
  }

  private List<Figure> killFigures(List<Killed> kills) {
    List<Figure> figures = new ArrayList<>();
    figures.add(new Figure(prefix + "kills", kills.size(), "kills"));
    for (KillPlan.Role role : KillPlan.Role.values()) {
      long count = kills.stream().filter(kill -> kill.role() == role).count();
      String word = role.name().toLowerCase(Locale.ROOT);
      figures.add(new Figure(prefix + "kills." + word, count, "kills"));
    }
    figures.addAll(stalls.figures(prefix, kills));
    return figures;
  }

  /// Kills the processes and removes their files.
  @Override
  public void close() {
    world.close();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
      Files.delete(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
