// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.parallel;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.StateDict;
import dev.tensorbus.rpc.Call;
import dev.tensorbus.rpc.ObjectCalls;
import dev.tensorbus.rpc.RRef;
import io.vertx.core.Future;
import java.util.List;

/// A layer on another worker, which owns its parameters. Like torch's `RemoteModule`.
///
/// ```java
/// var layer = new RemoteLayer<>(rpc.remote("ps", EmbeddingTable::new, tokens, 16));
/// Tensor embedded = layer.rpcSync(EmbeddingTable::forward, batch);
/// ```
///
/// A remote layer only wraps a reference. Any worker can create one from a reference to a layer,
/// and send it in calls. All remote layers with references to the same layer share that layer. A
/// public `forward` method of a public layer class needs no [dev.tensorbus.rpc.Remote] annotation,
/// since it computes a result and changes nothing; the method or constructor that creates the layer
/// needs the annotation. Unlike in torch, a remote layer is assigned to a worker only, because
/// tensors have no device.
///
/// @param <L> the layer's type
/// @param rref the reference
public record RemoteLayer<L extends Layer>(RRef<L> rref) implements ObjectCalls<L>, AutoCloseable {
  /// Returns references to all parameters, in the layer's order, for [RRef#toHere] or a distributed
  /// optimizer.
  public List<RRef<Tensor>> remoteParameters() {
    return rref.rpcSync(LayerMethods::parameters);
  }

  /// Returns the current values of all parameters and buffers.
  public StateDict state() {
    return rref.rpcSync(LayerMethods::state);
  }

  /// Switches the layer to training mode, for all workers that use it.
  public void train() {
    rref.rpcSync(LayerMethods::switchTo, true);
  }

  /// Switches the layer to evaluation mode, for all workers that use it.
  public void eval() {
    rref.rpcSync(LayerMethods::switchTo, false);
  }

  @Override
  public <R> Future<R> send(Call<R> call) {
    return rref.send(call);
  }

  @Override
  public <R> R call(Call<R> call) {
    return rref.call(call);
  }

  @Override
  public <R> RRef<R> create(Call<R> call) {
    return rref.create(call);
  }

  /// Closes the reference.
  @Override
  public void close() {
    rref.close();
  }
}
