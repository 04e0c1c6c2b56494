// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Linear;
import dev.tensorbus.optim.Sgd;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.verticles.DoorSettings;
import dev.tensorbus.verticles.Provided;
import dev.tensorbus.verticles.Role;
import dev.tensorbus.verticles.RpcWorker;
import dev.tensorbus.verticles.WorkerOptions;
import dev.tensorbus.verticles.grpc.Exported;
import dev.tensorbus.verticles.grpc.Exports;
import dev.tensorbus.verticles.grpc.model.Predictor;
import dev.tensorbus.verticles.grpc.model.ServedModel;
import io.grpc.Server;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/// The worker whose door is measured, and grpc-java's server in the same JVM.
final class GrpcBenchServer extends RpcWorker {
  /// Values of an example: 1 KiB.
  static final int EXAMPLE = 256;

  private final WorkerOptions options;
  private final Server raw = RawEcho.serve();

  GrpcBenchServer(WorkerOptions options) {
    super(Role.PARAMETER_SERVER, options);
    this.options = options;
  }

  /// The door is open by now.
  @Override
  protected void work(Rpc rpc) {
    Provided.put(rpc, Ports.class, new Ports(doorPort().orElseThrow(), raw.getPort()));
  }

  @Override
  protected Exports exports(Rpc rpc) {
    Linear model = new Linear(1, 1, new SplittableRandom(1));
    Linear twin = new Linear(1, 1, new SplittableRandom(1));
    Predictor predictor = new Predictor(twin, examples -> examples, Shape.of(EXAMPLE));
    return Exports.of(GrpcBenchServer.class)
        .with(new ServedModel(model, predictor, new Sgd(0), 0, DoorSettings.batching(options)));
  }

  /// The ports of the door and of grpc-java's server.
  @Remote
  static List<Integer> ports() {
    Ports ports = Provided.await(Rpc.current(), Ports.class);
    return List.of(ports.door(), ports.raw());
  }

  /// It never waits, so that no thread is woken for it.
  @Remote(brief = true)
  @Exported("echo")
  static Tensor echo(Tensor value) {
    return value;
  }

  /// The median time, in microseconds, of this worker's call of its own [#echo].
  @Remote
  static double hop(int kib) {
    Rpc rpc = Rpc.current();
    String self = rpc.self().name();
    Tensor value = Tensor.ones(kib * EXAMPLE);
    Runnable call = () -> rpc.rpcSync(self, GrpcBenchServer::echo, value);
    Times.warmUp(10, Duration.ofSeconds(1), call);
    Times times = new Times(GrpcBench.repeats(kib));
    for (int repeat = 0; repeat < GrpcBench.repeats(kib); repeat++) {
      long start = System.nanoTime();
      call.run();
      times.add(System.nanoTime() - start);
    }
    return times.median() * 1e6;
  }

  /// What of this JVM's memory is in use after a collection.
  @Remote
  static long usedBytes() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  private record Ports(int door, int raw) {}
}
