// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.call;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.WireException;
import dev.tensorbus.rpc.wire.Sender;
import dev.tensorbus.rpc.wire.WireTensor;
import dev.tensorbus.rpc.wire.value.ValueCodec;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The arguments or the result of a call that have arrived and are not decoded yet. The attachments
/// of the call add its references, and may replace its tensors.
public final class IncomingValue implements ValueCodec.Incoming {
  private final Sender from;
  private final long nanos;
  private final List<WireTensor> arrived;
  private final List<RRef<?>> references = new ArrayList<>(0);
  private @Nullable List<Tensor> tensors;

  /// @param nanos how long decoding may take
  public IncomingValue(List<WireTensor> arrived, Sender from, long nanos) {
    this.arrived = arrived;
    this.from = from;
    this.nanos = nanos;
  }

  /// Returns the worker that sent it.
  public Sender from() {
    return from;
  }

  /// Returns how many nanoseconds decoding may take.
  public long nanos() {
    return nanos;
  }

  /// Returns the tensors as they arrived.
  public List<WireTensor> arrived() {
    return arrived;
  }

  /// Returns how many of them require a gradient at the sender.
  public int tracked() {
    int tracked = 0;
    for (WireTensor tensor : arrived) {
      tracked += tensor.tracked() ? 1 : 0;
    }
    return tracked;
  }

  /// Replaces the tensors by others with the same values.
  public void replaceTensors(List<Tensor> others) {
    tensors = others;
  }

  /// Adds the reference of the next index.
  public void add(RRef<?> reference) {
    references.add(reference);
  }

  @Override
  public Tensor tensor(int index) {
    if (index < 0 || index >= arrived.size()) {
      throw new WireException("message refers to tensor " + index + " of " + arrived.size(), null);
    }
    return tensors == null ? arrived.get(index).value() : tensors.get(index);
  }

  @Override
  public RRef<?> reference(int index) {
    if (index < 0 || index >= references.size()) {
      throw new WireException(
          "message refers to reference " + index + " of " + references.size(), null);
    }
    return references.get(index);
  }

  /// Closes the references: the value is not used.
  public void discard() {
    references.forEach(RRef::close);
  }
}
