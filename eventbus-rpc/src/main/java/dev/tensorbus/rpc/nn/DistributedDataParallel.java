// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.nn;

import dev.tensorbus.autograd.SparseRows;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.graph.Backward;
import dev.tensorbus.autograd.graph.LeafGradients;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.StateDict;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.autograd.DistContext;
import dev.tensorbus.rpc.graph.Contexts;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
  private final List<String> names;
  private final boolean isFirst;
  private final ScopedValue<Boolean> noSync = ScopedValue.newInstance();

  private DistributedDataParallel(Rpc rpc, L layer, List<String> names) {
    this.rpc = rpc;
    this.layer = layer;
    this.names = names;
    this.isFirst = names.stream().allMatch(name -> rpc.worker(name).id() >= rpc.self().id());
  }

  /// Makes this worker's layer a copy of that on the worker of the lowest rank. Waits for all of
  /// these workers; not for event loops.
  ///
  /// @param names the workers that have a copy, of which this is one
  public static <L extends Layer> DistributedDataParallel<L> of(
      Rpc rpc, L layer, Collection<String> names) {
    var copy = new DistributedDataParallel<>(rpc, layer, List.copyOf(names));
    copy.takeFirstState();
    Backward.afterEach(copy.learned(), copy::averageIfSynced);
    return copy;
  }

  private List<Tensor> learned() {
    return layer.parameters().stream().filter(Tensor::requiresGrad).toList();
  }

  private void takeFirstState() {
    List<Tensor> own = List.copyOf(layer.state().tensors().values());
    List<@Nullable Tensor> first = rpc.allReduce(names, brought(own));
    Map<String, Tensor> named = new LinkedHashMap<>();
    int index = 0;
    for (String name : layer.state().tensors().keySet()) {
      named.put(name, Objects.requireNonNull(first.get(index++)));
    }
    layer.load(new StateDict(named));
  }

  /// The values of the first worker; the others bring nothing.
  private List<@Nullable Tensor> brought(List<Tensor> own) {
    return isFirst ? new ArrayList<>(own) : new ArrayList<>(Collections.nCopies(own.size(), null));
  }

  /// This worker's copy.
  public L layer() {
    return layer;
  }

  /// Runs passes that average nothing: their gradients add up until the first pass outside of it.
  /// After torch's `no_sync`.
  public void noSync(Runnable passes) {
    ScopedValue.where(noSync, true).run(passes);
  }

  private void averageIfSynced(LeafGradients gradients) {
    if (!noSync.isBound()) {
      average(gradients);
    }
  }

  /// Puts the mean of all copies' gradients in the place of this one's, as a plain
  /// `loss.backward()` does at its end: for a copy that had no examples. A copy without a gradient
  /// counts as one whose gradient is zero. One message to the worker of the lowest rank and one
  /// back, for all parameters and buffers. Waits for all; not for event loops.
  ///
  /// @throws dev.tensorbus.rpc.RpcException if a worker leaves or does not come
  public void averageGradients() {
    average(LeafGradients.OWN);
  }

  /// Does so in a context; the other copies do so in contexts of their own, as
  /// `context.backward(loss)` does at its end.
  ///
  /// @throws dev.tensorbus.rpc.RpcException if a worker leaves or does not come
  public void averageGradients(DistContext context) {
    average(Contexts.of(rpc).context(context.id()).graph());
  }

  /// Takes the means of all copies' gradients, and the values of the first's buffers.
  private void average(LeafGradients gradients) {
    List<Tensor> parameters = layer.parameters();
    List<Tensor> buffers = List.copyOf(layer.namedBuffers().values());
    List<@Nullable Tensor> brought = new ArrayList<>();
    parameters.forEach(parameter -> brought.add(gradients.get(parameter)));
    brought.addAll(brought(buffers));
    List<@Nullable Tensor> sums = rpc.allReduce(names, brought);
    IdentityHashMap<Tensor, Tensor> means = new IdentityHashMap<>();
    for (int i = 0; i < parameters.size(); i++) {
      Tensor sum = sums.get(i);
      if (sum != null) {
        means.put(parameters.get(i), scaled(sum, 1.0 / names.size()));
      }
    }
    for (int i = 0; i < buffers.size(); i++) {
      Tensor first = Objects.requireNonNull(sums.get(parameters.size() + i));
      buffers.get(i).replace(_ -> first);
    }
    gradients.replace(means);
  }

  private static Tensor scaled(Tensor sum, double factor) {
    SparseRows rows = sum.sparseRows();
    return rows == null
        ? sum.scale(factor)
        : Tensor.ofRows(new SparseRows(rows.shape(), rows.rows(), rows.values().scale(factor)));
  }
}
