// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.autograd.NoGrad;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.graph.Anomaly;
import dev.tensorbus.autograd.onnx.OnnxExport;
import dev.tensorbus.nn.Evaluation;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.dropout.Dropout;
import dev.tensorbus.nn.normalization.BatchNorm;
import dev.tensorbus.rpc.autograd.DistAutograd;
import dev.tensorbus.rpc.parallel.RemoteLayer;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/// What a block of code switches for its thread holds for the calls that it makes.
class ThreadModesTest {
  @AutoClose private static final MemoryHosts HOSTS = new MemoryHosts();

  private final World world = HOSTS.open(3);
  private final Rpc rpc = world.worker(0);
  private final RemoteLayer<Net> net = new RemoteLayer<>(rpc.remote("worker1", Net::new));
  private final Tensor x =
      Tensor.randn(new SplittableRandom(7), 8, 4).add(Tensor.of(3)); // no mean of 0

  @AfterEach
  void closeWorld() {
    world.close();
  }

  /// It behaves differently in evaluation, and has running statistics that training changes.
  static final class Net extends Layer {
    private final BatchNorm norm = child("norm", new BatchNorm(4));
    private final Dropout dropout = child("dropout", new Dropout(0.5f, new SplittableRandom(1)));

    @Remote
    Net() {}

    public Tensor forward(Tensor x) {
      return dropout.forward(norm.forward(x));
    }

    @Remote
    static Tensor forwardAt(RemoteLayer<Net> net, Tensor x) {
      return net.rpcSync(Net::forward, x);
    }
  }

  /// The modes in which a method runs, as text.
  @Remote
  static String modes() {
    return (NoGrad.isOn() ? "NoGrad " : "")
        + (Evaluation.isOn() ? "Evaluation " : "")
        + (Anomaly.isOn() ? "Anomaly" : "");
  }

  @Remote(execution = Execution.PLATFORM_THREAD)
  static String modesOfAPlatformThread() {
    return modes();
  }

  @Remote(execution = Execution.EVENT_LOOP)
  static String modesOfAnEventLoop() {
    return modes();
  }

  @Remote
  static String modesAt(String worker) {
    return Rpc.current().rpcSync(worker, ThreadModesTest::modes);
  }

  private void requireUntouched() {
    assertThat(net.state().tensors().get("norm.running_mean").values()).containsOnly(0);
  }

  @Test
  void evaluationReachesARemoteModel() {
    float[] right = Evaluation.call(() -> new Net().forward(x)).values();
    List<Supplier<Tensor>> calls =
        List.of(
            () -> net.rpcSync(Net::forward, x),
            () -> net.rpcAsync(Net::forward, x).await(),
            () -> net.remote(Net::forward, x).toHere(),
            () -> net.rref().rpcSync(Net::forward, x),
            () -> rpc.rpcSync("worker2", Net::forwardAt, net, x));
    for (Supplier<Tensor> call : calls) {
      assertThat(Evaluation.call(call).values()).containsExactly(right);
    }
    requireUntouched();
  }

  @Test
  void aCallOutsideOfItTrainsAgain() {
    Tensor _ = Evaluation.call(() -> net.rpcSync(Net::forward, x));
    Tensor _ = net.rpcSync(Net::forward, x);
    assertThat(net.state().tensors().get("norm.running_mean").values()).doesNotContain(0);
  }

  @Test
  void allModesTravelWithEveryKindOfCall() {
    Supplier<String> all = () -> rpc.rpcSync("worker1", ThreadModesTest::modes);
    assertThat(all.get()).isEmpty();
    assertThat(NoGrad.call(all)).isEqualTo("NoGrad ");
    assertThat(Evaluation.call(all)).isEqualTo("NoGrad Evaluation ");
    assertThat(Evaluation.call(() -> NoGrad.suspend(all))).isEqualTo("Evaluation ");
    assertThat(Evaluation.call(() -> Evaluation.suspend(all))).isEqualTo("NoGrad ");
    assertThat(Anomaly.detect(() -> Evaluation.call(all))).isEqualTo("NoGrad Evaluation Anomaly");
    for (int i = 0; i < 3; i++) { // an event loop runs no method before its class is known
      assertThat(NoGrad.call(() -> rpc.rpcSync("worker1", ThreadModesTest::modesOfAnEventLoop)))
          .isEqualTo("NoGrad ");
      assertThat(NoGrad.call(() -> rpc.rpcSync("worker1", ThreadModesTest::modesOfAPlatformThread)))
          .isEqualTo("NoGrad ");
      assertThat(rpc.rpcSync("worker1", ThreadModesTest::modesOfAnEventLoop)).isEmpty();
    }
    assertThat(NoGrad.call(() -> rpc.rpcSync("worker1", ThreadModesTest::modesAt, "worker2")))
        .isEqualTo("NoGrad ");
    assertThat(NoGrad.call(() -> rpc.rpcSync("worker0", ThreadModesTest::modesAt, "worker0")))
        .isEqualTo("NoGrad ");
  }

  @Test
  void codeThatFollowsACallIsInTheModesOfTheCall() {
    String after =
        Evaluation.call(() -> rpc.rpcAsync("worker1", Probe::where).map(answer -> modes()).await());
    assertThat(after).isEqualTo("NoGrad Evaluation ");
    String afterFailure =
        Evaluation.call(
                () -> rpc.rpcAsync("worker1", Probe::fail, "x").map("").otherwise(e -> modes()))
            .await();
    assertThat(afterFailure).isEqualTo("NoGrad Evaluation ");
  }

  @Test
  void wrappedTasksAreInTheModesOfTheirMaker() throws Exception {
    Callable<String> inNone = Rpc.wrap(ThreadModesTest::modes);
    Callable<String> inAll =
        Anomaly.detect(() -> Evaluation.call(() -> Rpc.wrap(ThreadModesTest::modes)));
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      assertThat(threads.submit(inAll).get()).isEqualTo("NoGrad Evaluation Anomaly");
    }
    String within = Anomaly.detect(() -> Evaluation.call(() -> called(inNone)));
    assertThat(within).isEmpty();
  }

  private static <T> T called(Callable<T> task) {
    try {
      return task.call();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Remote
  static Tensor weighted(Tensor x) {
    return x.mul(Tensor.parameterOf(Tensor.of(2)));
  }

  @Remote
  static boolean records(Tensor x) {
    return weighted(x).requiresGrad();
  }

  @Test
  void nothingIsRecordedAnywhereWithoutGradients() {
    Tensor leaf = Tensor.parameterOf(Tensor.of(1, 2));
    try (var context = DistAutograd.context(rpc)) {
      assertThat(rpc.rpcSync("worker1", ThreadModesTest::records, leaf)).isTrue();
      long sends = rpc.debugInfo().get("autograd.sends");
      assertThat(NoGrad.call(() -> rpc.rpcSync("worker1", ThreadModesTest::records, leaf)))
          .isFalse();
      assertThat(Evaluation.call(() -> rpc.rpcSync("worker1", ThreadModesTest::weighted, leaf)))
          .matches(result -> !result.requiresGrad());
      assertThat(rpc.debugInfo()).containsEntry("autograd.sends", sends);
      Tensor product = rpc.rpcSync("worker1", ThreadModesTest::weighted, leaf);
      context.backward(product.sum());
      assertThat(context.gradients().get(leaf).values()).containsExactly(2, 2);
    }
  }

  @Test
  void evaluationWithGradientsIsRecorded() {
    Tensor leaf = Tensor.parameterOf(Tensor.of(1, 2));
    try (var context = DistAutograd.context(rpc)) {
      Tensor result =
          Evaluation.call(
              () -> NoGrad.suspend(() -> rpc.rpcSync("worker1", ThreadModesTest::weighted, leaf)));
      context.backward(result.sum());
      assertThat(context.gradients().get(leaf).values()).containsExactly(2, 2);
    }
  }

  @Remote
  static Tensor rootOf(Tensor x) {
    return x.sqrt();
  }

  @Test
  void anomaliesAreFoundOnOtherWorkers() {
    Tensor zero = Tensor.parameterOf(Tensor.of(0));
    try (var context = DistAutograd.context(rpc)) {
      Tensor loss =
          Anomaly.detect(
              () -> rpc.rpcSync("worker1", ThreadModesTest::rootOf, zero).mul(zero.detach()));
      assertThatThrownBy(() -> context.backward(loss.sum()))
          .hasMessageContaining("anomaly: the gradient of input 0 of")
          .hasMessageContaining("ThreadModesTest.rootOf");
    }
  }

  @Test
  void aCallInAComputationThatIsExportedIsRefused() {
    Net layer = new Net();
    layer.eval();
    OnnxExport export =
        OnnxExport.of(layer, input -> layer.forward(net.rpcSync(Net::forward, input)));
    assertThatThrownBy(() -> export.bytes(x))
        .hasMessage(
            "cannot export: ThreadModesTest$Net.forward is called in a computation that is recorded"
                + " for ONNX, where its result would be a constant; export the computation of each"
                + " worker separately");
  }
}
