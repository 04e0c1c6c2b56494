// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.call;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.wire.Payload;
import dev.tensorbus.rpc.wire.Sender;
import dev.tensorbus.rpc.wire.WireTensor;
import dev.tensorbus.rpc.wire.value.ValueCodec;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;

/// The arguments or the result of a call, before they are sent. Collects the tensors and references
/// in them.
public final class OutgoingValue implements ValueCodec.Outgoing {
  private final Sender to;
  private final long nanos;
  private final List<Tensor> tensors = new ArrayList<>(0);
  private final List<RRef<?>> references = new ArrayList<>(0);
  private final IdentityHashMap<Tensor, Integer> indices = new IdentityHashMap<>(2);
  private boolean tracksTensors;

  /// @param nanos how long the value must remain available to the receiver, in nanoseconds
  public OutgoingValue(Sender to, long nanos) {
    this.to = to;
    this.nanos = nanos;
  }

  /// Returns the receiver.
  public Sender to() {
    return to;
  }

  /// Returns how long the value must remain available to the receiver, in nanoseconds.
  public long nanos() {
    return nanos;
  }

  @Override
  public int add(Tensor tensor) {
    return indices.computeIfAbsent(
        tensor,
        key -> {
          tensors.add(key);
          return tensors.size() - 1;
        });
  }

  @Override
  public int add(RRef<?> reference) {
    references.add(reference);
    return references.size() - 1;
  }

  /// Returns the tensors without duplicates.
  public List<Tensor> tensors() {
    return tensors;
  }

  /// Returns the references.
  public List<RRef<?>> references() {
    return references;
  }

  /// Makes the payload mark the tensors that require a gradient.
  public void trackTensors() {
    tracksTensors = true;
  }

  /// Returns the payload.
  ///
  /// @param values the encoded value without its tensors and references
  public Payload payload(byte[] values) {
    List<WireTensor> wired = new ArrayList<>(tensors.size());
    for (Tensor tensor : tensors) {
      wired.add(WireTensor.of(tensor, tracksTensors && tensor.requiresGrad()));
    }
    return new Payload(wired, values);
  }
}
