// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.nn;

import dev.tensorbus.autograd.SparseRows;
import dev.tensorbus.autograd.Tensor;
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
import org.jspecify.annotations.Nullable;

/// One of several copies of a layer, each on a worker of its own with examples of its own, that
/// learn as one. After torch's class of this name.
///
/// ```java
/// var dense = DistributedDataParallel.of(rpc, new Linear(16, 8, random), trainers);
/// try (var context = DistAutograd.context(rpc)) {
///   Tensor embedded = embedding.rpcSync(EmbeddingTable::forward, batch);   // on a server
///   context.backward(loss(dense.layer().forward(embedded)));
///   dense.averageGradients(context);
///   optimizer.step(context);                                               // equal on all
/// }
/// ```
///
/// All copies start with the state of the first and get equal gradients, so equal steps keep them
/// equal. Every copy takes part in every averaging, one that had no examples too.
///
/// @param <L> the layer's type
public final class DistributedDataParallel<L extends Layer> {
  private final Rpc rpc;
  private final L layer;
  private final List<String> names;

  private DistributedDataParallel(Rpc rpc, L layer, List<String> names) {
    this.rpc = rpc;
    this.layer = layer;
    this.names = names;
  }

  /// Makes this worker's layer a copy of that on the worker of the lowest rank. Waits for all of
  /// these workers; not for event loops.
  ///
  /// @param names the workers that have a copy, of which this is one
  public static <L extends Layer> DistributedDataParallel<L> of(
      Rpc rpc, L layer, Collection<String> names) {
    var copy = new DistributedDataParallel<>(rpc, layer, List.copyOf(names));
    copy.takeFirstState();
    return copy;
  }

  private void takeFirstState() {
    Map<String, Tensor> own = layer.state().tensors();
    boolean isFirst = names.stream().allMatch(name -> rpc.worker(name).id() >= rpc.self().id());
    List<@Nullable Tensor> state = new ArrayList<>(own.values());
    List<@Nullable Tensor> brought =
        isFirst ? state : new ArrayList<>(Collections.nCopies(state.size(), null));
    List<@Nullable Tensor> first = rpc.allReduce(names, brought).await();
    Map<String, Tensor> named = new LinkedHashMap<>();
    int index = 0;
    for (String name : own.keySet()) {
      Tensor values = first.get(index++);
      if (values != null) {
        named.put(name, values);
      }
    }
    layer.load(new StateDict(named));
  }

  /// This worker's copy.
  public L layer() {
    return layer;
  }

  /// Puts the mean of all copies' gradients in the place of this one's in a context, after a pass
  /// of it; the other copies do so in contexts of their own. A copy without a gradient counts as
  /// one whose gradient is zero. One message to the worker of the lowest rank and one back, for
  /// all parameters. Waits for all; not for event loops.
  public void averageGradients(DistContext context) {
    List<Tensor> parameters = layer.parameters();
    Map<Tensor, Tensor> own = context.gradients();
    List<@Nullable Tensor> brought = new ArrayList<>();
    parameters.forEach(parameter -> brought.add(own.get(parameter)));
    List<@Nullable Tensor> sums = rpc.allReduce(names, brought).await();
    IdentityHashMap<Tensor, Tensor> means = new IdentityHashMap<>();
    for (int index = 0; index < sums.size(); index++) {
      Tensor sum = sums.get(index);
      if (sum != null) {
        means.put(parameters.get(index), scaled(sum, 1.0 / names.size()));
      }
    }
    Contexts.of(rpc).context(context.id()).replaceGradients(means);
  }

  private static Tensor scaled(Tensor sum, double factor) {
    SparseRows rows = sum.sparseRows();
    return rows == null
        ? sum.scale(factor)
        : Tensor.ofRows(new SparseRows(rows.shape(), rows.rows(), rows.values().scale(factor)));
  }
}
