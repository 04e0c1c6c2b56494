// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway.wire;

import com.google.protobuf.UnsafeByteOperations;
import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.HeapStorage;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.grpc.v1.TensorPart;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/// Splits tensors into the parts of a message stream: small ones share a message, large ones span
/// several.
public final class TensorWriter {
  /// Maximum bytes of values per message: large enough for throughput, small enough to be
  /// interleaved with the messages of other calls, and below the 256 KiB that a Vert.x client
  /// accepts by default.
  static final int CHUNK = 240 << 10;

  private final Sink sink;
  private List<TensorPart> parts = new ArrayList<>();
  private int bytes;

  private TensorWriter(Sink sink) {
    this.sink = sink;
  }

  /// Receives the messages.
  @FunctionalInterface
  public interface Sink {
    /// Sends a message. May block.
    ///
    /// @param isLast whether this is the last message
    void send(List<TensorPart> parts, boolean isLast) throws InterruptedException;
  }

  /// Sends all tensors. If there are none, sends one message without parts.
  public static void write(List<NamedTensor> tensors, Sink sink) throws InterruptedException {
    TensorWriter writer = new TensorWriter(sink);
    for (NamedTensor tensor : tensors) {
      writer.write(tensor);
    }
    sink.send(writer.parts, true);
  }

  private void write(NamedTensor named) throws InterruptedException {
    Tensor tensor = named.tensor();
    DType dtype = tensor.dtype();
    HeapStorage storage = tensor.heap();
    int elements = tensor.shape().elements();
    TensorPart.Builder part = TensorPart.newBuilder().setHead(named.head());
    int done = 0;
    do {
      if (bytes + dtype.bytes() > CHUNK) {
        flush();
      }
      int count = Math.min(elements - done, (CHUNK - bytes) / dtype.bytes());
      byte[] values = new byte[count * dtype.bytes()];
      storage.write(done, count, MemorySegment.ofArray(values), 0, ByteOrder.LITTLE_ENDIAN);
      // Safe, because no other code references the array.
      parts.add(part.setValues(UnsafeByteOperations.unsafeWrap(values)).build());
      bytes += values.length;
      done += count;
      part = TensorPart.newBuilder();
    } while (done < elements);
  }

  private void flush() throws InterruptedException {
    sink.send(parts, false);
    parts = new ArrayList<>();
    bytes = 0;
  }
}
