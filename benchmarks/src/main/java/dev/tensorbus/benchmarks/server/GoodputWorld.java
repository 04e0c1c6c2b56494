// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.server;

import dev.tensorbus.optim.server.ServerOptions;
import dev.tensorbus.rpc.RpcException;
import java.time.Duration;
import java.util.List;
import java.util.NavigableMap;
import java.util.Queue;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.IntStream;

/// A world of [GoodputBench]: servers, and emulated trainers that step together.
final class GoodputWorld implements AutoCloseable {
  private static final String STEP = GoodputTrainer.STEP + " ";
  private static final String BITS = GoodputTrainer.BITS + " ";

  /// The number of steps from the order to stop to the last one, which reaches all trainers
  /// meanwhile.
  private static final int LAST_STEPS = 20;

  private final ServerWorld world;
  private final List<String> trainers;
  private final Duration pause;
  private final long lastStep;

  /// The time at which the first trainer began each step.
  private final NavigableMap<Long, Long> steps = new ConcurrentSkipListMap<>();

  /// The hashes of the trainers' final values.
  private final Queue<String> ended = new ConcurrentLinkedQueue<>();

  /// @param lastStep the step at which the trainers stop, unless [#stopAt] brings it forward
  GoodputWorld(ServerOptions servers, int trainers, Duration pause, long lastStep) {
    this.pause = pause;
    this.lastStep = lastStep;
    this.trainers = IntStream.rangeClosed(1, trainers).mapToObj(i -> "trainer" + i).toList();
    world = new ServerWorld(servers, this::read);
  }

  private void read(String line) {
    if (line.startsWith(STEP)) {
      String[] words = line.split(" ", -1);
      var _ = steps.putIfAbsent(Long.parseLong(words[1]), Long.parseLong(words[2]));
    } else if (line.startsWith(BITS)) {
      ended.add(line.substring(BITS.length()));
    } else {
      System.err.println(line);
    }
  }

  void start() {
    world.startServers();
    trainers.forEach(this::startTrainer);
    trainers.forEach(world::awaitWorker);
    awaitStep(LAST_STEPS);
  }

  private void startTrainer(String name) {
    world.start(
        name,
        GoodputTrainer.class,
        String.join(",", world.options().servers()),
        Integer.toString(trainers.size()),
        Long.toString(pause.toMillis()),
        Long.toString(lastStep));
  }

  Killer killer() {
    return new Killer(world, trainers, this::startTrainer);
  }

  NavigableMap<Long, Long> steps() {
    return steps;
  }

  private long newest() {
    return steps.isEmpty() ? 0 : steps.lastKey();
  }

  private void awaitStep(long step) {
    world.await("step " + step + " begins", _ -> newest() >= step);
  }

  /// Waits until all processes are there, and returns a step that none of them has reached yet.
  long chooseLastStep() {
    world.awaitComplete();
    trainers.forEach(world::awaitWorker);
    return newest() + LAST_STEPS;
  }

  /// Stops all trainers after this many steps.
  void stopAt(long last) {
    for (String trainer : trainers) {
      world.await(trainer + " knows the last step", _ -> tell(trainer, last));
    }
  }

  /// Waits until all trainers have stopped, and returns the hash of their final values.
  String awaitEnd() {
    while (!hasEnded()) {
      long step = newest();
      world.await("the next step or the end", _ -> newest() > step || hasEnded());
    }
    return String.join(" and ", new TreeSet<>(ended));
  }

  private boolean hasEnded() {
    return ended.size() == trainers.size();
  }

  private boolean tell(String trainer, long last) {
    try {
      world.rpc().rpcSync(trainer, GoodputTrainer::stopAt, last);
      return true;
    } catch (RpcException e) {
      return false; // it starts again
    }
  }

  @Override
  public void close() {
    world.close();
  }
}
