// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.kernel;

import dev.tensorbus.autograd.OnnxException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.onnx.CompiledLoss;
import dev.tensorbus.autograd.onnx.Device;
import dev.tensorbus.benchmarks.measure.Benchmark;
import dev.tensorbus.benchmarks.measure.Figure;
import dev.tensorbus.benchmarks.measure.KernelBenchmark;
import dev.tensorbus.benchmarks.measure.Times;
import dev.tensorbus.optim.Compiled;
import dev.tensorbus.optim.Optimizer;
import dev.tensorbus.optim.Sgd;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.SettingType;
import dev.tensorbus.verticles.UsageException;
import dev.tensorbus.verticles.worker.Startup;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.List;

/// Measures training steps run eagerly, as one graph in ONNX Runtime, and as a graph of the loss
/// and its gradients with an update in Java. On a GPU, also counts the nodes of a step that copy.
public final class CompiledBench implements Benchmark {
  /// The device of the graphs.
  public static final Setting DEVICE =
      new Setting(
          "device",
          "DEVICE",
          new SettingType.Word("cpu, cuda or cuda:N"),
          "cpu",
          "device of the graphs");

  /// Whether a GPU may round factors to TF32.
  public static final Setting TF32 =
      new Setting("tf32", "", new SettingType.Flag(), false, "let a GPU round factors to TF32");

  private static final int WARMUP_STEPS = 5;
  private static final int STEPS = 20;

  /// The number of steps that are traced, and a few more.
  private static final int PROFILED_STEPS = 6;

  private final Device device;

  /// Creates the benchmark.
  public CompiledBench() {
    this(Device.CPU);
  }

  private CompiledBench(Device device) {
    this.device = device;
  }

  @Override
  public String name() {
    return "compiled";
  }

  @Override
  public String summary() {
    return "training steps run eagerly and as one graph, for four minutes";
  }

  @Override
  public void check(JsonObject given) {
    try {
      device(given).require();
    } catch (IllegalArgumentException | OnnxException e) {
      throw new UsageException("--device: " + e.getMessage());
    }
  }

  private static Device device(JsonObject given) {
    Device device = Device.of(given.getString(DEVICE.key(), (String) DEVICE.standard()));
    return given.getBoolean(TF32.key(), false) ? device.withTf32() : device;
  }

  /// Runs one JVM for each number of threads, and for a GPU only one, with all.
  @Override
  public int run(JsonObject given) throws IOException, InterruptedException {
    Device device = device(given);
    List<String> arguments = List.of(device.toString(), String.valueOf(device.tf32()));
    int all = Runtime.getRuntime().availableProcessors();
    for (int threads : device.isGpu() ? List.of(all) : List.of(1, 2)) {
      int code = KernelBenchmark.run(CompiledBench.class, threads, arguments);
      if (code != 0) {
        return code;
      }
    }
    return 0;
  }

  /// Prints the figures for this JVM's number of threads.
  ///
  /// @param arguments the device, and whether it uses TF32
  public static void main(String[] arguments) {
    Startup.begin();
    Device device = Device.of(arguments[0]);
    CompiledBench bench =
        new CompiledBench(Boolean.parseBoolean(arguments[1]) ? device.withTf32() : device);
    TrainedNetwork.all().forEach(bench::measure);
  }

  private void measure(TrainedNetwork network) {
    Optimizer optimizer = new Sgd(0.001).withMomentum(0.9).over(network.model().parameters());
    Tensor[] batch = network.batch().toArray(Tensor[]::new);
    report(
        network.name() + ".eager", () -> update(optimizer, network.loss().apply(network.batch())));
    try (Compiled step = Compiled.ofAll(network.model(), network.loss(), optimizer, device)) {
      report(network.name() + ".compiled" + suffix(), () -> step.step(batch));
    }
    try (CompiledLoss loss = CompiledLoss.ofAll(network.model(), network.loss(), device)) {
      report(network.name() + ".loss" + suffix(), () -> update(optimizer, loss.forward(batch)));
    }
    if (device.isGpu()) {
      NodeProfile profile = NodeProfile.of(() -> steps(network, optimizer, batch));
      String figure = network.name() + ".compiled" + suffix() + ".copies";
      IO.println(new Figure(figure, profile.copies(), "nodes"));
      System.err.println(network.name() + ": nodes on the CPU: " + profile.onCpu());
    }
  }

  private static void update(Optimizer optimizer, Tensor loss) {
    optimizer.zeroGrad();
    loss.backward();
    optimizer.step();
  }

  private void steps(TrainedNetwork network, Optimizer optimizer, Tensor... batch) {
    try (Compiled step = Compiled.ofAll(network.model(), network.loss(), optimizer, device)) {
      for (int i = 0; i < PROFILED_STEPS; i++) {
        step.step(batch);
      }
    }
  }

  private String suffix() {
    return device.isGpu() ? device.tf32() ? ".cuda.tf32" : ".cuda" : "";
  }

  private static void report(String name, Runnable step) {
    String figure = name + ".step" + KernelBenchmark.suffix();
    Times times = Times.of(WARMUP_STEPS, STEPS, step);
    IO.println(new Figure(figure, times.median() * 1e3, "ms"));
  }
}
