// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway.wire;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.grpc.v1.DType;
import dev.tensorbus.grpc.v1.TensorHead;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/// A tensor of a message stream, and its name.
///
/// @param name its name, possibly empty
/// @param tensor the tensor; bfloat16 is sent as float32, since few clients support bfloat16
public record NamedTensor(String name, Tensor tensor) {
  /// Converts bfloat16 to float32.
  public NamedTensor {
    if (tensor.dtype() == dev.tensorbus.autograd.DType.BFLOAT16) {
      tensor = tensor.to(dev.tensorbus.autograd.DType.FLOAT32);
    }
  }

  /// Returns the tensors of a map, in its order.
  public static List<NamedTensor> of(Map<String, Tensor> tensors) {
    return tensors.entrySet().stream()
        .map(entry -> new NamedTensor(entry.getKey(), entry.getValue()))
        .toList();
  }

  /// Returns tensors without names.
  public static List<NamedTensor> of(List<Tensor> tensors) {
    return tensors.stream().map(tensor -> new NamedTensor("", tensor)).toList();
  }

  /// Returns the head: name, type and shape.
  public TensorHead head() {
    int[] sizes = tensor.shape().toArray();
    return TensorHead.newBuilder()
        .setName(name)
        .setDtype(dtype())
        .addAllShape(IntStream.of(sizes).boxed().toList())
        .build();
  }

  private DType dtype() {
    return switch (tensor.dtype()) {
      case FLOAT32, BFLOAT16 -> DType.DTYPE_FLOAT32;
      case FLOAT64 -> DType.DTYPE_FLOAT64;
      case INT64 -> DType.DTYPE_INT64;
      case BOOL -> DType.DTYPE_BOOL;
    };
  }
}
