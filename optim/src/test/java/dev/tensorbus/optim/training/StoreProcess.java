// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.models.data.Batch;
import dev.tensorbus.models.data.DataLoader;
import dev.tensorbus.models.digits.StrokeDigits;
import dev.tensorbus.nn.Flatten;
import dev.tensorbus.nn.Linear;
import dev.tensorbus.nn.Sequential;
import dev.tensorbus.nn.dropout.Dropout;
import dev.tensorbus.nn.loss.CrossEntropyLoss;
import dev.tensorbus.optim.Adam;
import dev.tensorbus.optim.checkpoint.Checkpoints;
import dev.tensorbus.optim.server.ParameterServer;
import dev.tensorbus.optim.server.ParameterStore;
import dev.tensorbus.optim.server.ProcessWorld;
import dev.tensorbus.optim.server.ServerOptions;
import dev.tensorbus.optim.server.StoreOptions;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.testing.ForkedJvm;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// A parameter server, or a trainer that resumes the run of a folder, in a process of its own.
final class StoreProcess {
  static final int STEPS = 60;
  private static final int EPOCHS = 3;
  private static final int SHARDS = 2;

  private StoreProcess() {}

  /// What a trainer has done.
  private static final class Run {
    private final Map<Long, Promise<Long>> steps = new ConcurrentHashMap<>();
    private final Promise<List<Tensor>> end = Promise.promise();

    private Promise<Long> step(long number) {
      return steps.computeIfAbsent(number, _ -> Promise.promise());
    }

    private static Run of(Rpc rpc) {
      return rpc.shared(Run.class, Run::new);
    }
  }

  private static Stream<String> names(String role, int count) {
    return IntStream.range(0, count).mapToObj(i -> role + i);
  }

  /// Returns the names of some servers and trainers.
  static List<String> names(int servers, int trainers) {
    return Stream.concat(names("server", servers), names("trainer", trainers)).toList();
  }

  /// @param args those of [ProcessWorld], the numbers of servers and trainers, and the folder
  public static void main(String[] args) {
    int trainers = Integer.parseInt(args[3]);
    Rpc rpc = ProcessWorld.join(args, names(Integer.parseInt(args[2]), trainers));
    String[] servers = names("server", Integer.parseInt(args[2])).toArray(String[]::new);
    if (rpc.self().name().startsWith("server")) {
      ParameterServer.start(rpc, ServerOptions.of(servers));
    } else {
      Run.of(rpc).end.complete(train(rpc, servers, trainers, new Checkpoints(Path.of(args[4]), 2)));
    }
    ForkedJvm.awaitEnd();
  }

  /// Resumes the run, and returns the final values.
  private static List<Tensor> train(
      Rpc rpc, String[] servers, int trainers, Checkpoints checkpoints) {
    Random random = new Random(1);
    var net =
        new Sequential(
            new Flatten(),
            new Linear(784, 100, random), // of two pieces
            new Dropout(0.2f, random),
            new Linear(100, 10, random));
    var digits = DataLoader.of(StrokeDigits.draw(400, new Random(1)), 10, Batch::of).shuffled(1);
    var options = StoreOptions.of(servers).withTrainers(trainers).withShards(SHARDS);
    Run run = Run.of(rpc);
    try (var store = ParameterStore.join(rpc, net, new Adam(0.003), options)) {
      var trainer =
          Trainer.of(store, new CrossEntropyLoss())
              .withCheckpoints(checkpoints, 3)
              .withListener(
                  new TrainerListener() {
                    @Override
                    public void onStep(long step, double loss) {
                      run.step(step).tryComplete(step);
                    }
                  });
      boolean _ = trainer.resume();
      trainer.fit(digits, EPOCHS);
      return net.parameters().stream().map(Tensor::detach).toList();
    }
  }

  /// Returns a future that completes when this worker's trainer has taken a step.
  @Remote
  static Future<Long> awaitStep(long number) {
    return Run.of(Rpc.current()).step(number).future();
  }

  /// Returns a future of the final values of this worker's trainer.
  @Remote
  static Future<List<Tensor>> awaitEnd() {
    return Run.of(Rpc.current()).end.future();
  }
}
