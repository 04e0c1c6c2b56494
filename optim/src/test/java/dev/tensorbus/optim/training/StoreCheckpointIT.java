// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.optim.checkpoint.Checkpoints;
import dev.tensorbus.optim.server.ProcessWorld;
import dev.tensorbus.rpc.CallOptions;
import dev.tensorbus.rpc.Calls;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Servers and trainers in processes of their own, all of which are killed at once.
@Tag("slow")
class StoreCheckpointIT {
  private final long seed = Long.getLong("seed", System.nanoTime());
  private final Random random = new Random(seed);

  @TempDir private Path folder;

  /// Starts a run, or resumes the one that was killed.
  private <R> R run(String run, int servers, int trainers, Function<ProcessWorld, R> part) {
    List<String> names = StoreProcess.names(servers, trainers);
    String[] arguments = {"" + servers, "" + trainers, folder.resolve(run).toString()};
    try (var world = new ProcessWorld(StoreProcess.class, names, "observer", arguments)) {
      names.forEach(name -> world.rpc().awaitWorker(name, Duration.ofMinutes(2)).await());
      return part.apply(world);
    }
  }

  private static Calls unlimited(ProcessWorld world) {
    return world.rpc().with(CallOptions.DEFAULT.withoutTimeout());
  }

  private static List<Tensor> end(ProcessWorld world) {
    return unlimited(world).rpcSync("trainer0", StoreProcess::awaitEnd);
  }

  @Test
  void aRunOfWhichEverythingIsKilledAtOnceIsResumedWithTheSameBits() {
    List<Tensor> expected = run("undisturbed", 1, 1, StoreCheckpointIT::end);
    long last = 10 + random.nextInt(StoreProcess.STEPS - 15);
    run(
        "killed",
        3,
        2,
        world -> {
          unlimited(world).rpcSync("trainer1", StoreProcess::awaitStep, last);
          StoreProcess.names(3, 2).parallelStream().forEach(world::kill);
          return last;
        });
    assertThat(new Checkpoints(folder.resolve("killed"), 2).newest()).isPresent();
    List<Tensor> values = run("killed", 2, 1, StoreCheckpointIT::end);
    for (int i = 0; i < expected.size(); i++) {
      assertThat(values.get(i).values())
          .as("parameter %d, seed %d", i, seed)
          .isEqualTo(expected.get(i).values());
    }
  }
}
