// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx.memory;

import static dev.tensorbus.autograd.trace.OnnxOperator.operator;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.onnx.graph.GraphBuilder;
import dev.tensorbus.autograd.onnx.graph.GraphValue;
import dev.tensorbus.autograd.onnx.graph.OnnxEmitter;
import dev.tensorbus.autograd.onnx.graph.TensorBytes;
import dev.tensorbus.autograd.onnx.memory.OrtApi.Function;
import dev.tensorbus.autograd.onnx.runtime.Provider;
import dev.tensorbus.autograd.trace.OnnxValue;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The memory of a device. Values are copied between a GPU and Java by sessions whose graph is a
/// single `Identity`, with their input and output bound to the two tensors.
///
/// Not thread-safe.
public final class DeviceMemory implements AutoCloseable {
  private final OrtApi api = OrtApi.get();
  private final Provider provider;
  private final Map<Kind, NativeSession> copiers = new HashMap<>();

  /// Allocates memory of the GPU.
  private @Nullable MemorySegment allocator;

  private record Kind(DType type, Shape shape) {}

  public DeviceMemory(Provider provider) {
    this.provider = provider;
  }

  boolean isHost() {
    return !provider.isGpu();
  }

  /// Creates a tensor that uses memory of Java.
  MemorySegment inHost(DType type, Shape shape, MemorySegment memory, long bytes) {
    try (Arena arena = Arena.ofConfined()) {
      return api.create(
          Function.CREATE_TENSOR_WITH_DATA_AS_ORT_VALUE,
          api.hostMemory(),
          memory,
          bytes,
          sizes(shape, arena),
          (long) shape.rank(),
          TensorBytes.code(type));
    }
  }

  /// Creates a tensor in the memory of a GPU.
  MemorySegment inDevice(DType type, Shape shape) {
    MemorySegment present = allocator;
    if (present == null) {
      MemorySegment gpu = api.memory("Cuda", provider.gpu());
      try {
        present = copier(new Kind(type, shape)).allocator(gpu);
      } finally {
        api.release(Function.RELEASE_MEMORY_INFO, gpu);
      }
      allocator = present;
    }
    try (Arena arena = Arena.ofConfined()) {
      return api.create(
          Function.CREATE_TENSOR_AS_ORT_VALUE,
          present,
          sizes(shape, arena),
          (long) shape.rank(),
          TensorBytes.code(type));
    }
  }

  private static MemorySegment sizes(Shape shape, Arena arena) {
    long[] sizes = new long[shape.rank()];
    for (int axis = 0; axis < sizes.length; axis++) {
      sizes[axis] = shape.size(axis);
    }
    return arena.allocateFrom(ValueLayout.JAVA_LONG, sizes);
  }

  /// Copies a tensor to another one of the same type and shape.
  void copy(DType type, Shape shape, MemorySegment from, MemorySegment to) {
    NativeSession copier = copier(new Kind(type, shape));
    copier.bindInput("x", from);
    copier.bindOutput("y", to);
    copier.run();
  }

  private NativeSession copier(Kind kind) {
    return copiers.computeIfAbsent(kind, this::newCopier);
  }

  private NativeSession newCopier(Kind kind) {
    GraphBuilder builder = new GraphBuilder();
    GraphValue x = GraphValue.of("x", kind.type(), kind.shape());
    builder.input(x);
    OnnxEmitter emitter = new OnnxEmitter(builder, "copy", List.of(x.name()));
    OnnxValue input = new OnnxValue.Input(0, kind.type(), kind.shape());
    String y = emitter.emit(operator("Identity").of(input));
    builder.output(GraphValue.of(y, kind.type(), kind.shape()));
    return new NativeSession(
        builder.build().renamed(name -> name.equals(y) ? "y" : name), provider);
  }

  void free(MemorySegment tensor) {
    api.release(Function.RELEASE_VALUE, tensor);
  }

  @Override
  public void close() {
    if (allocator != null) {
      api.release(Function.RELEASE_ALLOCATOR, allocator);
    }
    copiers.values().forEach(NativeSession::close);
  }
}
