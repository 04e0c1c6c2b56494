// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx.memory;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.HeapStorage;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/// A tensor in the memory of a device, which graphs read and write. If the device is a GPU, there
/// is also host memory, through which values are copied between the GPU and Java.
public final class DeviceTensor implements AutoCloseable {
  /// The alignment in bytes that vector instructions prefer.
  private static final int ALIGNMENT = 64;

  private final DeviceMemory device;
  private final DType type;
  private final Shape shape;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment memory;
  private final MemorySegment host;
  private final MemorySegment value;

  /// The array copied last. Arrays never change, so the same array need not be copied again.
  private @Nullable Object present;

  public DeviceTensor(DeviceMemory device, DType type, Shape shape) {
    this.device = device;
    this.type = type;
    this.shape = shape;
    long bytes = (long) shape.elements() * type.bytes();
    memory = arena.allocate(Math.max(1, bytes), ALIGNMENT);
    try {
      host = device.inHost(type, shape, memory, bytes);
    } catch (RuntimeException e) {
      arena.close();
      throw e;
    }
    try {
      value = device.isHost() ? host : device.inDevice(type, shape);
    } catch (RuntimeException e) { // the GPU has too little memory
      device.free(host);
      arena.close();
      throw e;
    }
  }

  /// Returns the tensor for ONNX Runtime.
  public MemorySegment value() {
    return value;
  }

  public DType type() {
    return type;
  }

  public Shape shape() {
    return shape;
  }

  /// Copies values to the device.
  @SuppressWarnings("ReferenceEquality") // compares identities
  public void put(HeapStorage values) {
    if (present != values.array()) {
      present = values.array();
      values.write(0, values.length(), memory, 0, ByteOrder.nativeOrder());
      if (!device.isHost()) {
        device.copy(type, shape, host, value);
      }
    }
  }

  /// Makes the next [#put] copy in any case, after a graph has written to this tensor.
  public void forget() {
    present = null;
  }

  /// Returns a copy of the values.
  public HeapStorage values() {
    if (!device.isHost()) {
      device.copy(type, shape, value, host);
    }
    HeapStorage values = HeapStorage.zeros(type, shape.elements());
    values.read(memory, 0, ByteOrder.nativeOrder(), 0, values.length());
    return values;
  }

  /// Returns a copy of the values as a tensor.
  public Tensor get() {
    return Tensor.ofStorage(shape, values());
  }

  @Override
  public void close() {
    if (!device.isHost()) {
      device.free(value);
    }
    device.free(host);
    arena.close();
  }
}
