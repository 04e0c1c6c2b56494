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

/// The received arguments or result of a call, not decoded yet. The call's attachments add the
/// references and may replace tensors.
public final class IncomingValue implements ValueCodec.Incoming {
  private final Sender from;
  private final long nanos;
  private final List<WireTensor> arrived;
  private final List<RRef<?>> references = new ArrayList<>(0);
  private @Nullable List<Tensor> tensors;

  /// @param nanos the maximum time for decoding, in nanoseconds
  public IncomingValue(List<WireTensor> arrived, Sender from, long nanos) {
    this.arrived = arrived;
    this.from = from;
    this.nanos = nanos;
  }

  /// Returns the worker that sent the value.
  public Sender from() {
    return from;
  }

  /// Returns the maximum time for decoding, in nanoseconds.
  public long nanos() {
    return nanos;
  }

  /// Returns the tensors as they arrived.
  public List<WireTensor> arrived() {
    return arrived;
  }

  /// Returns the number of tensors that require a gradient on the sender.
  public int tracked() {
    int tracked = 0;
    for (WireTensor tensor : arrived) {
      tracked += tensor.tracked() ? 1 : 0;
    }
    return tracked;
  }

  /// Replaces the tensors with others that have the same values.
  public void replaceTensors(List<Tensor> others) {
    tensors = others;
  }

  /// Adds a reference under the next index.
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

  /// Closes the references, because the value will not be used.
  public void discard() {
    references.forEach(RRef::close);
  }
}
