// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.grpc.wire;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.grpc.v1.TensorHead;
import dev.tensorbus.grpc.v1.TensorPart;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Puts tensors together from the parts of a message stream. Believes no length before the bytes
/// are there.
public final class TensorReader {
  /// What a tensor without values costs, so that nobody sends them for ever.
  private static final int HEAD = 64;

  private final long maxBytes;
  private final List<NamedTensor> complete = new ArrayList<>();
  private long promised;
  private @Nullable Filling filling;

  /// @param maxBytes what all tensors together may take
  public TensorReader(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /// Takes the next parts.
  ///
  /// @throws Refusal if they do not fit together or are too large
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
  /// @throws Refusal if the last is not complete
  public List<NamedTensor> tensors() {
    requireComplete();
    return complete;
  }

  private Filling begin(TensorHead head) {
    Shape shape = shape(head);
    Filling next = new Filling(head.getName(), dtype(head), shape);
    promised += HEAD + next.sizeInBytes();
    if (promised > maxBytes) {
      throw new Refusal(
          Reason.TENSORS_TOO_LARGE,
          "tensors of %d bytes; expected at most %d in a call, which --grpc-max-tensors changes"
              .formatted(promised, maxBytes));
    }
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

  static Refusal bad(String message) {
    return new Refusal(Reason.BAD_TENSOR, message);
  }
}
