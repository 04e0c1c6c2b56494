// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.grpc;

import dev.tensorbus.benchmarks.measure.Figure;
import dev.tensorbus.grpc.v1.CallRequest;
import dev.tensorbus.rpc.Progress;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.verticles.GatewaySettings;
import dev.tensorbus.verticles.Program;
import dev.tensorbus.verticles.ProgramSettings;
import dev.tensorbus.verticles.Role;
import dev.tensorbus.verticles.RoleBinding;
import dev.tensorbus.verticles.RpcWorker;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.SettingType;
import dev.tensorbus.verticles.WorkerOptions;
import io.grpc.ManagedChannel;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/// Runs many clients, each with its own connection, for a given time and reports lost calls and the
/// server's memory usage.
public final class GrpcSoak extends RpcWorker {
  private static final Setting CLIENTS =
      new Setting("clients", "N", new SettingType.Whole(1, 10_000), 200, "concurrent clients");
  private static final Setting SECONDS =
      new Setting("seconds", "N", new SettingType.Whole(1, 86_400), 300, "duration in seconds");

  public static final Program PROGRAM =
      new Program(
          "grpc-soak",
          "many clients of the gRPC gateway, for five minutes",
          ProgramSettings.with(
              GatewaySettings.PORT.withStandard(0),
              GatewaySettings.BATCH,
              GatewaySettings.DELAY,
              CLIENTS,
              SECONDS),
          options -> {},
          new RoleBinding(
              Role.PARAMETER_SERVER, (options, progress) -> new GrpcBenchServer(options)),
          new RoleBinding(Role.TRAINER, GrpcSoak::new));

  private static final String SERVER = Role.PARAMETER_SERVER.label();
  private static final int KIB = 16;
  private static final int SAMPLES = 10;

  private final WorkerOptions options;
  private final Progress progress;
  private final LongAdder calls = new LongAdder();
  private final LongAdder lost = new LongAdder();

  private GrpcSoak(WorkerOptions options, Progress progress) {
    super(Role.TRAINER, options);
    this.options = options;
    this.progress = progress;
  }

  @Override
  protected void work(Rpc rpc) {
    int port = rpc.rpcSync(SERVER, GrpcBenchServer::ports).getFirst();
    int clients = options.whole(CLIENTS);
    CountDownLatch end = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(clients);
    for (int client = 0; client < clients; client++) {
      Thread.startVirtualThread(() -> run(port, end, ended));
    }
    try {
      sample(rpc);
      end.countDown();
      ended.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException("stopped before its end", e);
    }
    say("calls", (double) calls.sum(), "calls");
    say("lost", (double) lost.sum(), "calls");
  }

  private void sample(Rpc rpc) throws InterruptedException {
    Duration pause = Duration.ofSeconds(options.whole(SECONDS)).dividedBy(SAMPLES);
    for (int sample = 0; sample < SAMPLES; sample++) {
      Thread.sleep(pause);
      say("used." + sample, rpc.rpcSync(SERVER, GrpcBenchServer::usedBytes) / 1e6, "MB");
    }
  }

  private void run(int port, CountDownLatch end, CountDownLatch ended) {
    List<CallRequest> messages = GrpcBench.messages(KIB);
    ManagedChannel channel = RawEcho.connect(port);
    try {
      while (!end.await(0, TimeUnit.SECONDS)) {
        call(channel, messages);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      channel.shutdownNow();
      ended.countDown();
    }
  }

  private void call(ManagedChannel channel, List<CallRequest> messages) {
    calls.increment();
    try {
      if (RawEcho.call(channel, messages).join() != KIB * 1024L) {
        lost.increment();
      }
    } catch (CompletionException e) {
      lost.increment();
      progress.say("lost: " + e.getCause());
    }
  }

  private void say(String name, double value, String unit) {
    progress.say(new Figure("grpc-soak." + name, value, unit).toString());
  }
}
