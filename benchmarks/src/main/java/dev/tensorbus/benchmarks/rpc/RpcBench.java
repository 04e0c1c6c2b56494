// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.rpc;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.benchmarks.measure.Figure;
import dev.tensorbus.benchmarks.measure.Times;
import dev.tensorbus.rpc.Lane;
import dev.tensorbus.rpc.Progress;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.RpcOptions;
import dev.tensorbus.rpc.autograd.DistAutograd;
import dev.tensorbus.verticles.Program;
import dev.tensorbus.verticles.ProgramSettings;
import dev.tensorbus.verticles.Role;
import dev.tensorbus.verticles.RoleBinding;
import dev.tensorbus.verticles.RpcWorker;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.SettingType;
import dev.tensorbus.verticles.WorkerOptions;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;

/// Measures calls from one worker to another, with as many calls as the PyTorch benchmark. The
/// calls are made on the virtual thread that runs the caller's work.
public final class RpcBench extends RpcWorker {
  /// Whether tensors travel by sockets, as between machines.
  public static final Setting SOCKETS =
      new Setting("sockets", "", new SettingType.Flag(), false, "send tensors by sockets");

  public static final Program PROGRAM =
      new Program(
          "rpc",
          "calls between two workers",
          ProgramSettings.with(SOCKETS),
          options -> {},
          new RoleBinding(
              Role.PARAMETER_SERVER,
              (options, progress) -> new RpcWorker(Role.PARAMETER_SERVER, options)),
          new RoleBinding(Role.TRAINER, RpcBench::new));

  private static final String CALLEE = Role.PARAMETER_SERVER.label();
  private static final int PIPELINED_CALLS = 20_000;
  private static final int DEPTH = 64;
  private static final Duration COMPILATION = Times.COMPILATION.multipliedBy(2);
  private static final int[] ECHO_KIB = {1, 16, 64, 256, 1024, 4096, 16_384, 65_536};

  private final boolean isBySockets;
  private final String prefix;
  private final Progress progress;
  private final SplittableRandom random = new SplittableRandom(1);

  private RpcBench(WorkerOptions options, Progress progress) {
    super(Role.TRAINER, options);
    this.progress = progress;
    isBySockets = options.isOn(SOCKETS);
    String lane = isBySockets ? "sockets." : "";
    prefix = "rpc." + lane + (options.path(Setting.TLS).isPresent() ? "tls." : "");
  }

  @Override
  protected RpcOptions adapted(RpcOptions standard) {
    return isBySockets ? standard.withLanes(Lane.SOCKET) : standard;
  }

  @Override
  protected void work(Rpc rpc) {
    Tensor small = Tensor.randn(random, 4);
    // Without this, the first figure would include the compilation of code that all calls share.
    Times.warmUp(1, COMPILATION, () -> rpc.rpcSync(CALLEE, Callee::noop));
    latency("noop", 500, 3000, () -> rpc.rpcSync(CALLEE, Callee::noop));
    latency("noop_event_loop", 500, 3000, () -> rpc.rpcSync(CALLEE, Callee::eventLoopNoop));
    latency("echo4floats", 500, 3000, () -> rpc.rpcSync(CALLEE, Callee::echo, small));
    RRef<Counter> counter = rpc.remote(CALLEE, Counter::new);
    latency("rref_method", 500, 3000, () -> counter.rpcSync(Counter::increment));
    Times pipelined = Times.of(0, 1, () -> pipeline(rpc));
    say("pipelined" + DEPTH, PIPELINED_CALLS / pipelined.median(), "calls/s");
    for (int kib : ECHO_KIB) {
      echo(rpc, kib);
    }
    Tensor x = Tensor.randn(random, 20, 100);
    Tensor drawn = Tensor.randn(random, 100, 30);
    Tensor weight = Tensor.parameter(drawn.shape(), drawn.values());
    // The code of kernels and backward passes has not been compiled yet.
    Times.warmUp(1, COMPILATION, () -> oneHop(rpc, x, weight));
    latency("dist_autograd_one_hop", 300, 1200, () -> oneHop(rpc, x, weight));
  }

  private void latency(String name, int warmup, int repeats, Runnable call) {
    Times times = Times.of(warmup, repeats, call);
    say(name + ".p50", times.median() * 1e6, "us");
    say(name + ".p99", times.quantile(0.99) * 1e6, "us");
  }

  private static void pipeline(Rpc rpc) {
    Deque<Future<Void>> pending = new ArrayDeque<>();
    for (int call = 0; call < PIPELINED_CALLS; call++) {
      pending.add(rpc.rpcAsync(CALLEE, Callee::noop));
      if (pending.size() >= DEPTH) {
        pending.remove().await();
      }
    }
    pending.forEach(future -> future.await());
  }

  private void echo(Rpc rpc, int kib) {
    Tensor tensor = Tensor.randn(random, kib * 256);
    int repeats = Math.clamp(262_144 / kib, 9, 400);
    Times times = Times.of(3, repeats, () -> rpc.rpcSync(CALLEE, Callee::echo, tensor));
    say("tensor_echo." + kib + "KiB.p50", times.median() * 1e6, "us");
  }

  private static void oneHop(Rpc rpc, Tensor x, Tensor weight) {
    try (var context = DistAutograd.context(rpc)) {
      Tensor y = rpc.rpcSync(CALLEE, Tensor::matmul, x, weight);
      context.backward(y.sum());
    }
  }

  private void say(String name, double value, String unit) {
    progress.say(new Figure(prefix + name, value, unit).toString());
  }
}
