// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.parallel;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.SparseRows;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.graph.Backward;
import dev.tensorbus.autograd.graph.LeafGradients;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.WorkerInfo;
import dev.tensorbus.rpc.autograd.DistContext;
import dev.tensorbus.rpc.graph.Contexts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/// One of several copies of a layer that are trained as one model, each on its own worker with its
/// own examples. Like torch's class of the same name.
///
/// ```java
/// var net = DistributedDataParallel.of(rpc, new Net(random)); // on all workers
/// loss(net.layer().forward(batch)).backward(); // gradients are now means over all copies
/// optimizer.step(); // the same step on all copies
/// ```
///
/// All copies start with the state of the first copy, which is on the worker with the lowest rank.
/// They get identical gradients, so identical optimizer steps keep them identical. Each averaging
/// also copies the first copy's buffers, such as running means, to all others.
///
/// A `loss.backward()` that reaches a parameter of the layer ends by averaging the gradients. This
/// waits for every other copy, so it must not run on an event loop. The same applies to
/// `context.backward(loss)` of a distributed context, on the worker that calls it. A copy without
/// examples calls [#averageGradients()] or [#averageGradients(DistContext)] instead. If a worker
/// leaves before the averaging ends or does not take part within the call timeout, `backward` fails
/// on all other copies with an error that names the worker, and leaves the gradients unchanged.
///
/// Parameters may be [frozen][Tensor#requiresGrad(boolean)] and unfrozen at any time, provided that
/// all copies freeze the same ones. After adding parameters to a layer, call [#synchronize].
/// Otherwise averaging fails on all copies.
///
/// ```java
/// try (var context = DistAutograd.context(rpc)) {
///   Tensor embedded = embedding.rpcSync(EmbeddingTable::forward, batch);   // on a server
///   context.backward(loss(dense.layer().forward(embedded)));
///   optimizer.step(context);
/// }
/// ```
///
/// @param <L> the layer's type
public final class DistributedDataParallel<L extends Layer> {
  private final Rpc rpc;
  private final L layer;
  private final List<String> names; // in order of rank
  private final boolean isFirst;
  private volatile Set<Tensor> synchronous = Set.of();
  private final ScopedValue<Boolean> noSync = ScopedValue.newInstance();

  private DistributedDataParallel(Rpc rpc, L layer, List<String> names) {
    this.rpc = rpc;
    this.layer = layer;
    this.names = names;
    this.isFirst = names.indexOf(rpc.self().name()) == 0;
  }

  /// Makes this worker's layer a copy of the layer on the worker with rank 0. All workers of the
  /// world have a copy. Waits for them; must not be called on an event loop.
  public static <L extends Layer> DistributedDataParallel<L> of(Rpc rpc, L layer) {
    return of(rpc, layer, rpc.workers().stream().map(WorkerInfo::name).toList());
  }

  /// Makes this worker's layer a copy of the layer on the worker with the lowest rank. Waits for
  /// all the workers; must not be called on an event loop.
  ///
  /// @param names the workers that have a copy, including this worker
  public static <L extends Layer> DistributedDataParallel<L> of(
      Rpc rpc, L layer, Collection<String> names) {
    List<String> byRank =
        names.stream().sorted(Comparator.comparingInt(name -> rpc.worker(name).id())).toList();
    var copy = new DistributedDataParallel<>(rpc, layer, byRank);
    copy.synchronize();
    Consumer<LeafGradients> average = copy::averageIfSynced;
    layer.forEachParameter(parameter -> Backward.afterEach(parameter, average));
    return copy;
  }

  /// Sends the parameters and buffers of the first copy to all copies, as [#of] does. Call it after
  /// adding parameters to the layer or loading a state into one copy. Waits for all copies; must
  /// not be called on an event loop.
  ///
  /// @throws dev.tensorbus.rpc.RpcException if a worker leaves or does not join in time
  /// @throws IllegalArgumentException on all copies, if they have different numbers of parameters
  ///     and buffers
  public void synchronize() {
    List<Tensor> parameters = layer.parameters();
    List<Tensor> own = new ArrayList<>(parameters);
    own.addAll(layer.namedBuffers().values());
    takeFirst(own, rpc.allReduce(names, brought(own)));
    synchronous = Set.copyOf(parameters);
  }

  private static void takeFirst(List<Tensor> own, List<@Nullable Tensor> first) {
    for (int i = 0; i < own.size(); i++) {
      Tensor values = Objects.requireNonNull(first.get(i));
      own.get(i).replace(_ -> values);
    }
  }

  /// Returns `own` on the first copy, and nulls on the others.
  private List<@Nullable Tensor> brought(List<Tensor> own) {
    return isFirst ? new ArrayList<>(own) : new ArrayList<>(Collections.nCopies(own.size(), null));
  }

  /// Returns this worker's copy.
  public L layer() {
    return layer;
  }

  /// Returns the number of copies.
  public int size() {
    return names.size();
  }

  /// Returns the worker on which this copy is.
  public Rpc rpc() {
    return rpc;
  }

  /// Returns whether this is the first copy, on the worker with the lowest rank. All copies start
  /// with its state.
  public boolean isFirst() {
    return isFirst;
  }

  /// Contributes a value and returns the values of all copies by worker name, in order of rank; see
  /// [Rpc#allGather]. Waits for all copies; must not be called on an event loop.
  ///
  /// @throws dev.tensorbus.rpc.RpcException if a worker leaves or does not join in time
  public <T> Map<String, T> allGather(T value) {
    Map<String, T> values = rpc.allGather(names, value);
    Map<String, T> byRank = new LinkedHashMap<>();
    names.forEach(name -> byRank.put(name, Objects.requireNonNull(values.get(name))));
    return byRank;
  }

  /// Runs passes without averaging. Their gradients accumulate until the first pass outside
  /// `noSync`. Like torch's `no_sync`.
  public void noSync(Runnable passes) {
    ScopedValue.where(noSync, true).run(passes);
  }

  private void averageIfSynced(LeafGradients gradients) {
    if (!noSync.isBound()) {
      average(gradients, 1);
    }
  }

  /// Replaces this copy's gradients with the means over all copies, as a plain `loss.backward()`
  /// does at its end. For a copy without examples. A missing gradient counts as zero. Costs one
  /// message to the worker with the lowest rank and one back, for all parameters and buffers
  /// together. Waits for all copies; must not be called on an event loop.
  ///
  /// @throws dev.tensorbus.rpc.RpcException if a worker leaves or does not join in time
  /// @throws IllegalStateException on all copies, if a parameter is frozen on only some copies, or
  ///     was added after [#synchronize]
  public void averageGradients() {
    average(LeafGradients.OWN, 1);
  }

  /// Averages the gradients of a context, as `context.backward(loss)` does at its end. Every other
  /// copy must do so too, in its own context.
  ///
  /// @throws dev.tensorbus.rpc.RpcException if a worker leaves or does not join in time
  /// @throws IllegalStateException on all copies, if a parameter is frozen on only some copies, or
  ///     was added after [#synchronize]
  public void averageGradients(DistContext context) {
    average(Contexts.of(rpc).context(context.id()).graph(), 1);
  }

  /// Averages the gradients with weights, for losses that are means of different numbers of values.
  /// Each copy contributes its gradient and the [weight][dev.tensorbus.nn.loss.Loss#weight] of its
  /// batch. All copies get the gradient of one batch that contains all examples. Run the passes
  /// before this call in [#noSync].
  ///
  /// @param weight the weight of this copy's gradient; a gradient with weight 0 is ignored
  /// @param numbers values to sum over all copies in the same message
  /// @return the sums of the numbers
  /// @throws dev.tensorbus.rpc.RpcException if a worker leaves or does not join in time
  /// @throws IllegalStateException on all copies, if a parameter is frozen on only some copies, or
  ///     was added after [#synchronize]
  public double[] averageGradients(double weight, double... numbers) {
    if (!(weight >= 0 && Double.isFinite(weight))) {
      throw new IllegalArgumentException(
          "averageGradients: weight " + weight + " must be 0 or more, and finite");
    }
    return average(LeafGradients.OWN, weight, numbers);
  }

  /// Replaces gradients with the weighted means over all copies, and buffers with those of the
  /// first copy.
  private double[] average(LeafGradients gradients, double weight, double... numbers) {
    Map<String, Tensor> named = layer.namedParameters();
    List<Tensor> parameters = List.copyOf(named.values());
    List<Tensor> buffers = List.copyOf(layer.namedBuffers().values());
    List<@Nullable Tensor> brought = new ArrayList<>();
    parameters.forEach(parameter -> brought.add(weighted(parameter, gradients, weight)));
    brought.addAll(brought(buffers));
    brought.add(terms(parameters, weight, numbers));
    List<@Nullable Tensor> sums = rpc.allReduce(names, brought);
    double[] terms = Objects.requireNonNull(sums.getLast()).doubles();
    requireAgreement(named, terms);
    takeFirst(buffers, sums.subList(parameters.size(), sums.size() - 1));
    IdentityHashMap<Tensor, Tensor> means = new IdentityHashMap<>();
    for (int i = 0; i < parameters.size(); i++) {
      Tensor sum = sums.get(i);
      if (sum != null) {
        means.put(parameters.get(i), scaled(sum, 1 / terms[0]));
      }
    }
    gradients.replace(means);
    return Arrays.copyOfRange(terms, 1 + parameters.size(), terms.length);
  }

  private static @Nullable Tensor weighted(
      Tensor parameter, LeafGradients gradients, double weight) {
    Tensor gradient = parameter.requiresGrad() ? gradients.get(parameter) : null;
    return gradient == null || weight == 0 ? null : scaled(gradient, weight);
  }

  /// Returns a tensor that contains the weight, a flag for each parameter (1 if it requires a
  /// gradient, otherwise 0), and the numbers.
  private static Tensor terms(List<Tensor> parameters, double weight, double... numbers) {
    DoubleStream learns = parameters.stream().mapToDouble(one -> one.requiresGrad() ? 1 : 0);
    double[] terms =
        DoubleStream.concat(
                DoubleStream.concat(DoubleStream.of(weight), learns), DoubleStream.of(numbers))
            .toArray();
    return Tensor.of(Shape.of(terms.length), terms);
  }

  /// Throws if the copies have frozen different parameters, or if a parameter is new. All copies
  /// check the same sums, so all of them fail or none does.
  private void requireAgreement(Map<String, Tensor> parameters, double... terms) {
    int index = 1;
    for (Map.Entry<String, Tensor> named : parameters.entrySet()) {
      double learning = terms[index++];
      if (learning != 0 && learning != names.size()) {
        throw new IllegalStateException(
            ("copies on %s: %s requires a gradient on %d of them, and here it %s; freeze the same"
                    + " parameters on all copies")
                .formatted(
                    String.join(", ", names),
                    named.getKey(),
                    (int) learning,
                    named.getValue().requiresGrad() ? "does" : "does not"));
      }
      if (!synchronous.contains(named.getValue())) {
        throw new IllegalStateException(
            ("copies on %s: %s was added after the copies were created; call synchronize on all of"
                    + " them first")
                .formatted(String.join(", ", names), named.getKey()));
      }
    }
  }

  private static Tensor scaled(Tensor sum, double factor) {
    if (factor == 1) {
      return sum;
    }
    SparseRows rows = sum.sparseRows();
    return rows == null
        ? sum.scale(factor)
        : Tensor.ofRows(new SparseRows(rows.shape(), rows.rows(), rows.values().scale(factor)));
  }
}
