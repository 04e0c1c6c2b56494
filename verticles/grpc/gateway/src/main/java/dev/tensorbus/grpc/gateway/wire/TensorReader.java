// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway.wire;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.grpc.v1.TensorHead;
import dev.tensorbus.grpc.v1.TensorPart;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// Assembles tensors from the parts of a message stream. Allocates memory in proportion to the
/// received bytes, whatever size a tensor's head announces.
public final class TensorReader {
  /// The number of bytes charged per tensor in addition to its values, name and shape, so that a
  /// caller cannot send an unlimited number of empty tensors.
  private static final int HEAD = 64;

  private final long maxBytes;
  private final LongConsumer memory;
  private final List<NamedTensor> complete = new ArrayList<>();
  private long promised;
  private long held;
  private @Nullable PartialTensor filling;

  /// @param maxBytes maximum total size of the tensors
  /// @param memory reserves bytes before they are allocated, and may throw; a negative number
  ///     releases bytes
  public TensorReader(long maxBytes, LongConsumer memory) {
    this.maxBytes = maxBytes;
    this.memory = memory;
  }

  /// Adds the next parts.
  ///
  /// @throws GrpcStatusException if the parts are inconsistent or too large
  public void add(List<TensorPart> parts) {
    for (TensorPart part : parts) {
      if (part.hasHead()) {
        requireComplete();
        filling = begin(part.getHead());
      }
      if (filling == null) {
        throw bad("the first part of a tensor has no head; expected its dtype and shape");
      }
      filling.take(part.getValues());
      if (filling.isFull()) {
        complete.add(filling.tensor());
        filling = null;
      }
    }
  }

  /// Returns the tensors that are complete so far.
  public List<NamedTensor> complete() {
    return complete;
  }

  /// Returns all tensors. Must be called after the last part has been added.
  ///
  /// @throws GrpcStatusException if the last tensor is incomplete
  public List<NamedTensor> tensors() {
    requireComplete();
    return complete;
  }

  private void hold(long bytes) {
    memory.accept(bytes);
    held += bytes;
  }

  /// Releases the memory of the tensors, which must no longer be used.
  public void release() {
    hold(-held);
  }

  private PartialTensor begin(TensorHead head) {
    Shape shape = shape(head);
    PartialTensor next = new PartialTensor(head.getName(), dtype(head), shape, this::hold);
    long described =
        HEAD
            + (long) Character.BYTES * head.getName().length()
            + (long) Integer.BYTES * shape.rank();
    promised += described + next.sizeInBytes();
    if (promised > maxBytes) {
      throw new GrpcStatusException(
          Reason.TENSORS_TOO_LARGE,
          "tensors of %d bytes; expected at most %d per call (--grpc-max-tensors)"
              .formatted(promised, maxBytes));
    }
    hold(described);
    return next;
  }

  private void requireComplete() {
    if (filling != null) {
      throw bad(filling + " is not complete; send all its values before the next tensor");
    }
  }

  private static Shape shape(TensorHead head) {
    try {
      return Shape.ofArray(head.getShapeList().stream().mapToInt(Integer::intValue).toArray());
    } catch (ShapeException e) {
      throw bad(String.valueOf(e.getMessage()));
    }
  }

  private static dev.tensorbus.autograd.DType dtype(TensorHead head) {
    return switch (head.getDtype()) {
      case DTYPE_FLOAT32 -> dev.tensorbus.autograd.DType.FLOAT32;
      case DTYPE_FLOAT64 -> dev.tensorbus.autograd.DType.FLOAT64;
      case DTYPE_INT64 -> dev.tensorbus.autograd.DType.INT64;
      case DTYPE_BOOL -> dev.tensorbus.autograd.DType.BOOL;
      case DTYPE_UNSPECIFIED, UNRECOGNIZED ->
          throw bad(
              "tensor \"%s\" has dtype %d; expected float32 (1), float64 (2), int64 (3) or bool (4)"
                  .formatted(head.getName(), head.getDtypeValue()));
    };
  }

  static GrpcStatusException bad(String message) {
    return new GrpcStatusException(Reason.BAD_TENSOR, message);
  }
}
