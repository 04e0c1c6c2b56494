// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.parallel;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.SparseRows;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.graph.Backward;
import dev.tensorbus.autograd.graph.LeafGradients;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.rpc.Rpc;
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

/// One of several copies of a layer, each on a worker of its own with examples of its own, that
/// learn as one. After torch's class of this name.
///
/// ```java
/// var net = DistributedDataParallel.of(rpc, new Net(random), trainers);
/// loss(net.layer().forward(batch)).backward();   // gradients are now the means of all copies'
/// optimizer.step();                              // equal on all
/// ```
///
/// All copies start with the state of the first, the worker of the lowest rank, and get equal
/// gradients, so equal steps keep them equal. The first's buffers, such as running means, come
/// along with each averaging: all copies have them when the next forward pass begins.
///
/// A `loss.backward()` that reaches a parameter of the layer ends with an averaging, which waits
/// for one of every other copy; so it is not for event loops. So does `context.backward(loss)` of a
/// distributed context, on the worker that calls it. A copy that had no examples calls
/// [#averageGradients()] instead, or [#averageGradients(DistContext)]. If a worker leaves meanwhile
/// or does not come within the time of a call, `backward` fails with its name on all others, and
/// gradients stay as they were.
///
/// Parameters may be [frozen][Tensor#requiresGrad(boolean)] and learn again at any time, the same
/// ones on all copies. A layer that gets further parameters needs [#synchronize]. Otherwise the
/// averaging fails on all copies.
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
  private final List<String> names; // by rank
  private final boolean isFirst;
  private volatile Set<Tensor> synchronous = Set.of();
  private final ScopedValue<Boolean> noSync = ScopedValue.newInstance();

  private DistributedDataParallel(Rpc rpc, L layer, List<String> names) {
    this.rpc = rpc;
    this.layer = layer;
    this.names = names;
    this.isFirst = names.indexOf(rpc.self().name()) == 0;
  }

  /// Makes this worker's layer a copy of that on the worker of the lowest rank. Waits for all of
  /// these workers; not for event loops.
  ///
  /// @param names the workers that have a copy, of which this is one
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

  /// Gives all copies the parameters and buffers of the first, as [#of] does: after the layer got
  /// further parameters, or one copy loaded a state. Waits for all copies; not for event loops.
  ///
  /// @throws dev.tensorbus.rpc.RpcException if a worker leaves or does not come
  /// @throws IllegalArgumentException on all, if the numbers of parameters and buffers differ
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

  /// The values of the first worker; the others bring nothing.
  private List<@Nullable Tensor> brought(List<Tensor> own) {
    return isFirst ? new ArrayList<>(own) : new ArrayList<>(Collections.nCopies(own.size(), null));
  }

  /// This worker's copy.
  public L layer() {
    return layer;
  }

  /// How many copies there are.
  public int size() {
    return names.size();
  }

  /// Whether this is the copy of the lowest rank, whose state all begin with.
  public boolean isFirst() {
    return isFirst;
  }

  /// Brings a value for each copy and returns those of all by the names of their workers, the
  /// [first][#isFirst] copy's first; see [Rpc#allGather]. Waits for all copies; not for event
  /// loops.
  ///
  /// @throws dev.tensorbus.rpc.RpcException if a worker leaves or does not come
  public <T> Map<String, T> allGather(T value) {
    Map<String, T> values = rpc.allGather(names, value);
    Map<String, T> byRank = new LinkedHashMap<>();
    names.forEach(name -> byRank.put(name, Objects.requireNonNull(values.get(name))));
    return byRank;
  }

  /// Runs passes that average nothing: their gradients add up until the first pass outside of it.
  /// After torch's `no_sync`.
  public void noSync(Runnable passes) {
    ScopedValue.where(noSync, true).run(passes);
  }

  private void averageIfSynced(LeafGradients gradients) {
    if (!noSync.isBound()) {
      average(gradients, 1);
    }
  }

  /// Puts the mean of all copies' gradients in the place of this one's, as a plain
  /// `loss.backward()` does at its end: for a copy that had no examples. A copy without a gradient
  /// counts as one whose gradient is zero. One message to the worker of the lowest rank and one
  /// back, for all parameters and buffers. Waits for all; not for event loops.
  ///
  /// @throws dev.tensorbus.rpc.RpcException if a worker leaves or does not come
  /// @throws IllegalStateException on all, if a parameter learns on some copies only, or is new
  public void averageGradients() {
    average(LeafGradients.OWN, 1);
  }

  /// Does so in a context; the other copies do so in contexts of their own, as
  /// `context.backward(loss)` does at its end.
  ///
  /// @throws dev.tensorbus.rpc.RpcException if a worker leaves or does not come
  /// @throws IllegalStateException on all, if a parameter learns on some copies only, or is new
  public void averageGradients(DistContext context) {
    average(Contexts.of(rpc).context(context.id()).graph(), 1);
  }

  /// Does so with weights: for losses that are means of different numbers of values. Each copy
  /// brings its gradient and the [weight][dev.tensorbus.nn.loss.Loss#weight] of its batch, and all
  /// get the gradient of one batch of all examples. The passes before it run in [#noSync].
  ///
  /// @param weight how much this copy's gradient counts; a gradient with weight 0 is left out
  /// @param numbers are added up over all copies, in the same message
  /// @return the sums of the numbers
  /// @throws dev.tensorbus.rpc.RpcException if a worker leaves or does not come
  /// @throws IllegalStateException on all, if a parameter learns on some copies only, or is new
  public double[] averageGradients(double weight, double... numbers) {
    if (!(weight >= 0 && Double.isFinite(weight))) {
      throw new IllegalArgumentException(
          "averageGradients: weight " + weight + " must be 0 or more, and finite");
    }
    return average(LeafGradients.OWN, weight, numbers);
  }

  /// Takes the means of all copies' gradients, and the values of the first's buffers.
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

  /// The weight, then 1 for each parameter that learns and 0 for the others, then the numbers.
  private static Tensor terms(List<Tensor> parameters, double weight, double... numbers) {
    DoubleStream learns = parameters.stream().mapToDouble(one -> one.requiresGrad() ? 1 : 0);
    double[] terms =
        DoubleStream.concat(
                DoubleStream.concat(DoubleStream.of(weight), learns), DoubleStream.of(numbers))
            .toArray();
    return Tensor.of(Shape.of(terms.length), terms);
  }

  /// All copies find the same here, so all fail or none.
  private void requireAgreement(Map<String, Tensor> parameters, double... terms) {
    int index = 1;
    for (Map.Entry<String, Tensor> named : parameters.entrySet()) {
      double learning = terms[index++];
      if (learning != 0 && learning != names.size()) {
        throw new IllegalStateException(
            "copies on %s: %s learns on %d of them, and here it %s; freeze the same parameters on all"
                .formatted(
                    String.join(", ", names),
                    named.getKey(),
                    (int) learning,
                    named.getValue().requiresGrad() ? "does" : "does not"));
      }
      if (!synchronous.contains(named.getValue())) {
        throw new IllegalStateException(
            "copies on %s: %s was added after the copies were made; call synchronize on all first"
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
