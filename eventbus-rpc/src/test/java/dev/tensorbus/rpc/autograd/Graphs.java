// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.autograd;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.functional.Embeddings;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.graph.Recording;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/// The functions that the workers of the autograd tests compute for each other.
final class Graphs {
  private Graphs() {}

  @Remote
  static Tensor weight() {
    return Tensor.parameter(Shape.of(3), new float[] {7, 7, 7});
  }

  @Remote
  static Tensor timesWeight(RRef<Tensor> weight, Tensor x) {
    return x.mul(weight.localValue());
  }

  @Remote
  static Tensor gradient(RRef<Tensor> parameter, long context) {
    return DistAutograd.gradients(context).get(parameter.localValue());
  }

  /// `2ab`, of which the product is made by a third worker.
  @Remote
  static Tensor mulAt(Tensor a, Tensor b, String worker) {
    Tensor product = Rpc.current().rpcSync(worker, Tensor::mul, a, b);
    return product.add(product);
  }

  /// `2x`, after a round trip to each other worker.
  @Remote
  static Tensor slowly(Tensor x) {
    Rpc rpc = Rpc.current();
    rpc.workers().forEach(worker -> rpc.rpcSync(worker.name(), Graphs::weight));
    return x.add(x);
  }

  /// Answers never, and ends when its call is given up.
  @Remote
  static Tensor never(Tensor x) throws InterruptedException {
    new CountDownLatch(1).await();
    return x;
  }

  /// Keeps a tensor for as long as the worker lives.
  @Remote
  static void keep(Tensor tensor) {
    Keeper.here().tensors.add(tensor);
  }

  @Remote
  static void keepBoth(Tensor first, Tensor second) {
    keep(first);
    keep(second);
  }

  /// The tensors that a worker keeps between calls.
  private static final class Keeper {
    private final List<Tensor> tensors = new ArrayList<>();
    private final Tensor own = Tensor.parameter(Shape.of(3), new float[] {2, 2, 2});
    private final CountDownLatch heldUp = new CountDownLatch(1);
    private final CountDownLatch letGo = new CountDownLatch(1);
    private volatile boolean failing;

    static Keeper here() {
      return Rpc.current().shared(Keeper.class, Keeper::new);
    }
  }

  /// Opens a context of this worker and tells its number.
  @Remote
  static long openAndClose() {
    try (var context = DistAutograd.open(Rpc.current())) {
      return context.id();
    }
  }

  /// How many gradients a context has here.
  @Remote
  static int gradientsOf(long context) {
    return DistAutograd.gradients(context).size();
  }

  /// The context that the last worker of the route knows, 0 for none.
  @Remote
  static long currentContext(List<String> route) {
    if (!route.isEmpty()) {
      List<String> rest = List.copyOf(route.subList(1, route.size()));
      return Rpc.current().rpcSync(route.getFirst(), Graphs::currentContext, rest);
    }
    Recording current = Recording.current();
    return current == null ? 0 : current.id();
  }

  @Remote
  static void nothing() {}

  /// Has a task run by the worker that owns it.
  @Remote
  static void runAtOwner(RRef<Runnable> task) {
    Rpc.current().rpcSync(task.owner().name(), Graphs::run, task);
  }

  @Remote
  static void run(RRef<Runnable> task) {
    task.localValue().run();
  }

  /// `2x`, asked of another worker by a thread of an executor.
  @Remote
  static Tensor throughAnExecutor(Tensor x, String worker) throws Exception {
    try (ExecutorService pool = Executors.newSingleThreadExecutor()) {
      return pool.submit(
              Rpc.wrap(() -> Rpc.current().rpcSync(worker, Graphs::through, List.of(), x)))
          .get();
    }
  }

  /// `2x`, asked of another worker by a structured fork.
  @Remote
  static Tensor throughAFork(Tensor x, String worker) throws Exception {
    return StructuredFork.call(() -> Rpc.current().rpcSync(worker, Graphs::through, List.of(), x));
  }

  /// `2x`, computed by the last worker of the route.
  @Remote
  static Tensor through(List<String> route, Tensor x) {
    if (route.isEmpty()) {
      return x.add(x);
    }
    List<String> rest = List.copyOf(route.subList(1, route.size()));
    return Rpc.current().rpcSync(route.getFirst(), Graphs::through, rest, x);
  }

  /// `x` times a parameter of this worker, which is 2.
  @Remote
  static Tensor timesOwn(Tensor x) {
    return x.mul(Keeper.here().own);
  }

  /// The gradient of that parameter.
  @Remote
  static Tensor ownGradient(long context) {
    return DistAutograd.gradients(context).get(Keeper.here().own);
  }

  /// `x` times the parameters of another worker and of this one.
  @Remote
  static Tensor timesOwnThrough(Tensor x, String worker) {
    return timesOwn(Rpc.current().rpcSync(worker, Graphs::timesOwn, x));
  }

  /// Has another worker record something, and fails.
  @Remote
  static void recordAndFail(String worker) {
    Rpc.current().rpcSync(worker, Graphs::timesOwn, Keeper.here().own);
    throw new IllegalStateException("on purpose");
  }

  /// `2x`, in two calls of which the second is made in a callback of the first.
  @Remote
  static Future<Tensor> composedThrough(Tensor x, String worker) {
    Rpc rpc = Rpc.current();
    return rpc.rpcAsync(worker, Tensor::mul, x, Tensor.of(1, 1, 1))
        .compose(same -> rpc.rpcAsync(worker, Graphs::through, List.of(), same));
  }

  /// `x`, whose gradient waits on this worker until [#letGo].
  @Remote
  static Tensor heldUp(Tensor x) {
    Keeper keeper = Keeper.here();
    Tensor y = x.scale(1);
    y.registerHook(
        gradient -> {
          holdUp(keeper);
          return gradient;
        });
    return y;
  }

  /// The same on the last worker of the route.
  @Remote
  static Tensor heldUpThrough(List<String> route, Tensor x) {
    if (route.isEmpty()) {
      return heldUp(x);
    }
    List<String> rest = List.copyOf(route.subList(1, route.size()));
    return Rpc.current().rpcSync(route.getFirst(), Graphs::heldUpThrough, rest, x);
  }

  private static void holdUp(Keeper keeper) {
    keeper.heldUp.countDown();
    try {
      keeper.letGo.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Opens a context of this worker that reaches another one, and never closes it.
  @Remote
  static void openAndHoldUp(String worker) {
    DistContext context = DistAutograd.open(Rpc.current());
    Rpc rpc = Rpc.current();
    context.call(() -> rpc.rpcSync(worker, Graphs::timesOwn, Keeper.here().own));
    holdUp(Keeper.here());
  }

  @Remote
  static void awaitHeldUp() throws InterruptedException {
    Keeper.here().heldUp.await();
  }

  @Remote
  static void letGo() {
    Keeper.here().letGo.countDown();
  }

  /// Asks another worker for `2x` after [#letGo].
  @Remote
  static Tensor whenLetGo(Tensor x, String worker) {
    holdUp(Keeper.here());
    return Rpc.current().rpcSync(worker, Graphs::through, List.of(), x);
  }

  /// `x`, whose gradient is an error on this worker after [#setFailing].
  @Remote
  static Tensor failing(Tensor x) {
    Keeper keeper = Keeper.here();
    Tensor y = x.scale(1);
    y.registerHook(
        gradient -> {
          if (keeper.failing) {
            throw new IllegalStateException("no gradient on purpose");
          }
          return gradient;
        });
    return y;
  }

  @Remote
  static void setFailing(boolean failing) {
    Keeper.here().failing = failing;
  }

  /// `x` times a large parameter of this worker, whose gradient waits until [#letGo], and is an
  /// error after [#setFailing].
  @Remote
  static Tensor timesMatrix(Tensor x) {
    Keeper keeper = Keeper.here();
    Tensor matrix = Tensor.parameterOf(Tensor.randn(new SplittableRandom(5), 256, 256));
    matrix.registerHook(
        gradient -> {
          holdUp(keeper);
          if (keeper.failing) {
            throw new IllegalStateException("no matrix's gradient on purpose");
          }
          return gradient;
        });
    return x.matmul(matrix);
  }

  /// `x`, through [#failing] on the last worker of the route.
  @Remote
  static Tensor failingThrough(List<String> route, Tensor x) {
    if (route.isEmpty()) {
      return failing(x);
    }
    List<String> rest = List.copyOf(route.subList(1, route.size()));
    return Rpc.current().rpcSync(route.getFirst(), Graphs::failingThrough, rest, x);
  }

  /// Trains against another worker: whether four calls there give the gradient of `x⁴`.
  @Remote
  static boolean fourHopsAndBack(String worker) {
    Rpc rpc = Rpc.current();
    Tensor x = Tensor.parameter(Shape.of(2), new float[] {1, 2});
    try (var context = DistAutograd.open(rpc)) {
      Tensor y = x;
      for (int hop = 1; hop < 4; hop++) {
        Tensor factor = y;
        y = context.call(() -> rpc.rpcSync(worker, Tensor::mul, factor, x));
      }
      context.backward(context.call(sumAt(rpc, worker, y)));
      return Arrays.equals(context.gradients().get(x).values(), new float[] {4, 32});
    }
  }

  private static Supplier<Tensor> sumAt(Rpc rpc, String worker, Tensor y) {
    return () -> rpc.rpcSync(worker, "dev.tensorbus.autograd.Tensor.sum", y);
  }

  /// The same as [#timesWeight], computed by the owner.
  @Remote
  static Tensor timesWeightAtOwner(RRef<Tensor> weight, Tensor x) {
    return Rpc.current().rpcSync(weight.owner().name(), Graphs::timesWeight, weight, x);
  }

  /// Trains against the owner of a weight: whether a step's gradients are those of these inputs.
  @Remote
  static boolean trainOnce(RRef<Tensor> weight, int input) {
    Tensor x = Tensor.parameter(Shape.of(3), new float[] {input, input, input});
    try (var context = DistAutograd.context(Rpc.current())) {
      context.backward(timesWeightAtOwner(weight, x).sum());
      Tensor there =
          Rpc.current().rpcSync(weight.owner().name(), Graphs::gradient, weight, context.id());
      return Arrays.equals(there.values(), x.values())
          && Arrays.equals(context.gradients().get(x).values(), new float[] {7, 7, 7});
    }
  }

  static Tensor network(Tensor x, Tensor w, Tensor v) {
    return second(first(x, w), v).mul(x.slice(1, 0, 4));
  }

  /// The same, of which the second half is computed elsewhere.
  @Remote
  static Tensor networkAt(Tensor x, Tensor w, Tensor v, String worker) {
    return Rpc.current().rpcSync(worker, Graphs::second, first(x, w), v).mul(x.slice(1, 0, 4));
  }

  private static Tensor first(Tensor x, Tensor w) {
    return x.matmul(w).tanh();
  }

  @Remote
  static Tensor second(Tensor hidden, Tensor v) {
    return hidden.matmul(v).relu();
  }

  @Remote
  static Tensor mulIfFirstOnlyIsTracked(Tensor x, Tensor y) {
    return x.requiresGrad() && !y.requiresGrad() ? x.mul(y) : x.add(y);
  }

  @Remote
  static Tensor mulAsDoubles(Tensor x, Tensor y) {
    return x.to(DType.FLOAT64).mul(y);
  }

  /// A table of a hundred rows.
  @Remote
  static Tensor table() {
    return Tensor.parameterOf(Tensor.randn(new SplittableRandom(4), 100, 2));
  }

  @Remote
  static Tensor sparseRows(Tensor table, Tensor rows) {
    return Embeddings.embedding(rows, table, true);
  }

  /// The sums of two bags of rows.
  static Tensor bag(Tensor table, Tensor rows) {
    return Embeddings.embeddingBag(rows, table, new int[] {0, 3}, Embeddings.BagMode.SUM, true);
  }

  @Remote
  static Tensor bagOf(RRef<Tensor> table, Tensor rows) {
    return bag(table.localValue(), rows);
  }

  @Remote
  static boolean hasSparseGradient(RRef<Tensor> parameter, long context) {
    return gradient(parameter, context).sparseRows() != null;
  }

  /// The sum of what these workers bring.
  @Remote
  static Tensor sumOf(List<String> names, Tensor own) {
    return Rpc.current().allReduce(names, List.of(own)).getFirst();
  }
}
