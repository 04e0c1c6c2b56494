// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.grpc;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.benchmarks.measure.Figure;
import dev.tensorbus.benchmarks.measure.Times;
import dev.tensorbus.grpc.gateway.wire.NamedTensor;
import dev.tensorbus.grpc.gateway.wire.TensorWriter;
import dev.tensorbus.grpc.v1.CallHead;
import dev.tensorbus.grpc.v1.CallRequest;
import dev.tensorbus.grpc.v1.PredictRequest;
import dev.tensorbus.grpc.v1.Value;
import dev.tensorbus.rpc.Progress;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.verticles.GatewaySettings;
import dev.tensorbus.verticles.Program;
import dev.tensorbus.verticles.ProgramSettings;
import dev.tensorbus.verticles.Role;
import dev.tensorbus.verticles.RoleBinding;
import dev.tensorbus.verticles.RpcWorker;
import dev.tensorbus.verticles.WorkerOptions;
import io.grpc.ManagedChannel;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/// Measures the round trip of a tensor through the gateway, and of the same messages through a
/// plain grpc-java server. Both use grpc-java's client. For comparison, this benchmark also
/// measures the server's call to itself, which is part of the gateway's `Call`.
public final class GrpcBench extends RpcWorker {
  public static final Program PROGRAM =
      new Program(
          "grpc",
          "the gRPC gateway compared with grpc-java",
          ProgramSettings.with(
              GatewaySettings.PORT.withStandard(0),
              GatewaySettings.BATCH,
              GatewaySettings.DELAY.withStandard(0)),
          options -> {},
          new RoleBinding(
              Role.PARAMETER_SERVER, (options, progress) -> new GrpcBenchServer(options)),
          new RoleBinding(Role.TRAINER, GrpcBench::new));

  private static final String SERVER = Role.PARAMETER_SERVER.label();

  /// The time to warm up the code that all sizes share. Halfway through it, a call with 1 KiB took
  /// 340 us; at its end, 250 us.
  private static final Duration COMPILATION = Duration.ofSeconds(6);

  private static final Duration WARM_UP = Duration.ofSeconds(2);
  private static final int[] KIB = {1, 64, 1024, 16_384};
  private static final int DEPTH = 64;
  private static final int PIPELINED = 10_000;

  private final Progress progress;

  private GrpcBench(WorkerOptions options, Progress progress) {
    super(Role.TRAINER, options);
    this.progress = progress;
  }

  @Override
  protected void work(Rpc rpc) {
    List<Integer> ports = rpc.rpcSync(SERVER, GrpcBenchServer::ports);
    ManagedChannel gateway = RawEcho.connect(ports.get(0));
    ManagedChannel raw = RawEcho.connect(ports.get(1));
    var small = ways(1, gateway, raw);
    small.values().forEach(call -> Times.warmUp(1, COMPILATION, () -> run(DEPTH * 10, call)));
    for (int kib : KIB) {
      compare(kib, ways(kib, gateway, raw));
      say("hop.echo." + kib + "KiB.p50", rpc.rpcSync(SERVER, GrpcBenchServer::hop, kib), "us");
    }
    small.forEach(this::pipeline);
    gateway.shutdownNow();
    raw.shutdownNow();
  }

  private static Map<String, Supplier<CompletableFuture<Long>>> ways(
      int kib, ManagedChannel gateway, ManagedChannel raw) {
    List<CallRequest> calls = messages(kib);
    List<PredictRequest> predictions = predictions(kib);
    Map<String, Supplier<CompletableFuture<Long>>> ways = new LinkedHashMap<>();
    ways.put("call", () -> RawEcho.call(gateway, calls));
    ways.put("predict", () -> RawEcho.predict(gateway, predictions));
    ways.put("raw", () -> RawEcho.call(raw, calls));
    return ways;
  }

  /// Alternates the measured methods, so that other load on the machine affects all alike.
  private void compare(int kib, Map<String, Supplier<CompletableFuture<Long>>> ways) {
    long bytes = kib * 1024L;
    Map<String, Times> times = new LinkedHashMap<>();
    ways.forEach(
        (name, way) -> {
          Times.warmUp(10, WARM_UP, () -> require(bytes, way.get()));
          times.put(name, new Times(repeats(kib)));
        });
    for (int repeat = 0; repeat < repeats(kib); repeat++) {
      ways.forEach(
          (name, way) ->
              Objects.requireNonNull(times.get(name)).add(nanos(() -> require(bytes, way.get()))));
    }
    times.forEach(
        (name, taken) -> say(name + ".echo." + kib + "KiB.p50", taken.median() * 1e6, "us"));
  }

  private static long nanos(Runnable way) {
    long start = System.nanoTime();
    way.run();
    return System.nanoTime() - start;
  }

  private static void require(long bytes, CompletableFuture<Long> answer) {
    long came = answer.join();
    if (came != bytes) {
      throw new IllegalStateException("received " + came + " bytes; expected " + bytes);
    }
  }

  /// Returns the number of repeats, which is smaller for larger sizes.
  static int repeats(int kib) {
    return Math.clamp(65_536 / kib, 25, 1000);
  }

  private void pipeline(String name, Supplier<CompletableFuture<Long>> call) {
    Times.warmUp(1, WARM_UP, () -> run(DEPTH * 10, call));
    say(name + ".pipelined" + DEPTH, PIPELINED / Times.once(() -> run(PIPELINED, call)), "calls/s");
  }

  private static void run(int calls, Supplier<CompletableFuture<Long>> next) {
    Deque<CompletableFuture<Long>> pending = new ArrayDeque<>();
    for (int call = 0; call < calls; call++) {
      pending.add(next.get());
      if (pending.size() >= DEPTH) {
        pending.remove().join();
      }
    }
    pending.forEach(CompletableFuture::join);
  }

  /// Returns the messages of a call to `echo` with a tensor of this size.
  static List<CallRequest> messages(int kib) {
    List<CallRequest> messages = new ArrayList<>();
    CallRequest.Builder next =
        CallRequest.newBuilder()
            .setHead(
                CallHead.newBuilder()
                    .setFunction("echo")
                    .addArguments(Value.newBuilder().setTensor(0)));
    write(
        Tensor.ones(kib * GrpcBenchServer.EXAMPLE),
        (parts, isLast) -> {
          messages.add(next.addAllParts(parts).build());
          next.clear();
        });
    return messages;
  }

  /// Returns the messages of a prediction for the given number of 1 KiB examples.
  private static List<PredictRequest> predictions(int kib) {
    List<PredictRequest> messages = new ArrayList<>();
    write(
        Tensor.ones(kib, GrpcBenchServer.EXAMPLE),
        (parts, isLast) ->
            messages.add(PredictRequest.newBuilder().addAllParts(parts).setLast(isLast).build()));
    return messages;
  }

  private static void write(Tensor tensor, TensorWriter.Sink sink) {
    try {
      TensorWriter.write(NamedTensor.of(List.of(tensor)), sink);
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted while writing to memory", e);
    }
  }

  private void say(String name, double value, String unit) {
    progress.say(new Figure("grpc." + name, value, unit).toString());
  }
}
