// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.grpc;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.benchmarks.measure.Times;
import dev.tensorbus.grpc.gateway.Exported;
import dev.tensorbus.grpc.gateway.Exports;
import dev.tensorbus.grpc.gateway.GrpcGateway;
import dev.tensorbus.nn.Linear;
import dev.tensorbus.optim.server.ModelServer;
import dev.tensorbus.optim.server.Predictor;
import dev.tensorbus.rpc.Execution;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.verticles.GatewaySettings;
import dev.tensorbus.verticles.Role;
import dev.tensorbus.verticles.RpcWorker;
import dev.tensorbus.verticles.WorkerObjects;
import dev.tensorbus.verticles.WorkerOptions;
import io.grpc.Server;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/// The worker whose gateway is measured, with a grpc-java server in the same JVM.
final class GrpcBenchServer extends RpcWorker {
  /// The number of values in an example of 1 KiB.
  static final int EXAMPLE = 256;

  private final WorkerOptions options;
  private final Server raw = RawEcho.serve();

  GrpcBenchServer(WorkerOptions options) {
    super(Role.PARAMETER_SERVER, options);
    this.options = options;
  }

  @Override
  protected void serve(Rpc rpc) {
    Linear model = new Linear(1, 1, new SplittableRandom(1));
    Linear twin = new Linear(1, 1, new SplittableRandom(1));
    Predictor predictor = new Predictor(twin, examples -> examples, Shape.of(EXAMPLE));
    ModelServer served = new ModelServer(model, predictor, GatewaySettings.batching(options));
    WorkerObjects.put(rpc, Exports.class, Exports.of(GrpcBenchServer.class).with(served));
    WorkerObjects.put(rpc, Server.class, raw);
  }

  /// Returns the ports of the gateway and of the grpc-java server.
  @Remote
  static List<Integer> ports() {
    Rpc rpc = Rpc.current();
    return List.of(
        WorkerObjects.await(rpc, GrpcGateway.class).port(),
        WorkerObjects.await(rpc, Server.class).getPort());
  }

  /// Returns its argument. Runs on the event loop, because it never blocks.
  @Remote(execution = Execution.EVENT_LOOP)
  @Exported("echo")
  static Tensor echo(Tensor value) {
    return value;
  }

  /// Returns the median duration, in microseconds, of this worker's calls to its own [#echo].
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

  /// Returns the used heap of this JVM in bytes after a garbage collection.
  @Remote
  static long usedBytes() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
