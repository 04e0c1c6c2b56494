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

/// Puts tensors together from the parts of a message stream. Believes no length before the bytes
/// are there.
public final class TensorReader {
  /// The price of a tensor without values, so that nobody sends them for ever.
  private static final int HEAD = 64;

  private final long maxBytes;
  private final LongConsumer memory;
  private final List<NamedTensor> complete = new ArrayList<>();
  private long promised;
  private long held;
  private @Nullable PartialTensor filling;

  /// @param maxBytes what all tensors together may take
  /// @param memory is asked for bytes before they are taken, and told, by a negative number, of
  ///     those given back; it may refuse
  public TensorReader(long maxBytes, LongConsumer memory) {
    this.maxBytes = maxBytes;
    this.memory = memory;
  }

  /// Takes the next parts.
  ///
  /// @throws GrpcStatusException if they do not fit together or are too large
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

  /// The tensors that are complete so far.
  public List<NamedTensor> complete() {
    return complete;
  }

  /// The tensors that have come, where nothing more does.
  ///
  /// @throws GrpcStatusException if the last is not complete
  public List<NamedTensor> tensors() {
    requireComplete();
    return complete;
  }

  private void hold(long bytes) {
    memory.accept(bytes);
    held += bytes;
  }

  /// Gives the memory back; nobody reads the tensors any more.
  public void release() {
    hold(-held);
  }

  private PartialTensor begin(TensorHead head) {
    Shape shape = shape(head);
    PartialTensor next = new PartialTensor(head.getName(), dtype(head), shape, this::hold);
    promised += HEAD + next.sizeInBytes();
    if (promised > maxBytes) {
      throw new GrpcStatusException(
          Reason.TENSORS_TOO_LARGE,
          "tensors of %d bytes; expected at most %d in a call, which --grpc-max-tensors changes"
              .formatted(promised, maxBytes));
    }
    hold(HEAD);
    return next;
  }

  private void requireComplete() {
    if (filling != null) {
      throw bad(filling + " is not complete; send all its values before what follows");
    }
  }

  private static Shape shape(TensorHead head) {
    try {
      return Shape.of(head.getShapeList().stream().mapToInt(Integer::intValue).toArray());
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
