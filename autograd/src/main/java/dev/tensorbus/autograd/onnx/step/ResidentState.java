// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx.step;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.HeapStorage;
import dev.tensorbus.autograd.Layout;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.onnx.memory.DeviceMemory;
import dev.tensorbus.autograd.onnx.memory.DeviceTensor;
import dev.tensorbus.autograd.onnx.runtime.Provider;
import java.lang.foreign.MemorySegment;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The state of a compiled step, such as parameters, in the memory of a device. A run reads the
/// present values and writes the next ones to separate memory; then the two change places. The
/// tensors in Java get [layouts][Layout] that copy the values when they are first read.
///
/// Runs must not overlap; other threads may read the tensors at any time.
public final class ResidentState implements AutoCloseable {
  private final DeviceMemory memory;
  private final Map<String, Slot> slots = new HashMap<>();
  private boolean closed;

  /// The memory of one tensor.
  private static final class Slot {
    private final Tensor tensor;
    private DeviceTensor present;
    private DeviceTensor next;
    private @Nullable Version newest;

    /// The version before the newest, which is intact until the next run.
    private @Nullable Version previous;

    Slot(DeviceMemory memory, Tensor tensor) {
      this.tensor = tensor;
      present = new DeviceTensor(memory, tensor.dtype(), tensor.shape());
      try {
        next = new DeviceTensor(memory, tensor.dtype(), tensor.shape());
      } catch (RuntimeException e) {
        present.close();
        throw e;
      }
    }

    boolean fits(Tensor other) {
      return tensor.equals(other)
          && present.type() == other.dtype()
          && present.shape().equals(other.shape());
    }

    boolean isNewest(Tensor values) {
      return newest != null && newest.equals(values.layout());
    }

    void exchange() {
      DeviceTensor written = next;
      next = present;
      present = written;
    }

    /// Frees the memory. Later reads of its versions fail.
    void close() {
      newest = null;
      previous = null;
      present.close();
      next.close();
    }
  }

  /// The values after a run.
  private final class Version implements Layout {
    private final Slot slot;
    private final Shape shape;
    private final DType type;

    Version(Slot slot) {
      this.slot = slot;
      this.shape = slot.present.shape();
      this.type = slot.present.type();
    }

    @Override
    public Shape shape() {
      return shape;
    }

    @Override
    public DType dtype() {
      return type;
    }

    @Override
    public HeapStorage dense() {
      return read(this);
    }
  }

  public ResidentState(Provider provider) {
    memory = new DeviceMemory(provider);
  }

  private synchronized HeapStorage read(Version version) {
    Slot slot = version.slot;
    if (!closed && version.equals(slot.newest)) {
      return slot.present.values();
    }
    if (!closed && version.equals(slot.previous)) {
      return slot.next.values();
    }
    throw new IllegalStateException(
        "values of %s from an earlier compiled step are overwritten; read them before the next step"
            .formatted(version.shape));
  }

  /// Returns the memory with the tensor's values. Copies them if Java has replaced them since the
  /// last run.
  public synchronized MemorySegment present(String name, Tensor tensor) {
    Slot slot = slots.get(name);
    if (slot == null || !slot.fits(tensor)) {
      if (slot != null) {
        fetch(slot);
        slots.remove(name);
        slot.close();
      }
      slot = new Slot(memory, tensor);
      slots.put(name, slot);
    }
    if (!slot.isNewest(tensor)) {
      slot.newest = null;
      slot.present.put(tensor.heap());
    }
    return slot.present.value();
  }

  /// Returns the memory to which a run writes the next values of a tensor that is
  /// [present][#present].
  synchronized MemorySegment next(String name) {
    Slot slot = slot(name);
    slot.previous = null;
    slot.next.forget();
    return slot.next.value();
  }

  private Slot slot(String name) {
    return Objects.requireNonNull(slots.get(name), name);
  }

  /// Makes the next values of these tensors the present ones.
  public void replace(Collection<String> names) {
    for (String name : names) {
      Version version = exchange(slot(name));
      version.slot.tensor.replace(_ -> Tensor.ofLayout(version));
    }
  }

  private synchronized Version exchange(Slot slot) {
    slot.exchange();
    slot.previous = slot.newest;
    Version version = new Version(slot);
    slot.newest = version;
    return version;
  }

  /// Makes the next run copy all tensors that Java holds, even if their arrays are the same: an
  /// optimizer changes its state in place.
  public synchronized void forget() {
    slots.values().forEach(slot -> slot.present.forget());
  }

  /// Copies the newest values to Java.
  private static void fetch(Slot slot) {
    if (slot.isNewest(slot.tensor)) {
      slot.tensor.replace(values -> Tensor.ofStorage(values.shape(), values.heap()));
    }
  }

  /// Copies the newest values to Java and frees the memory.
  @Override
  public void close() {
    try {
      slots.values().forEach(ResidentState::fetch);
    } finally {
      free();
    }
  }

  private synchronized void free() {
    closed = true;
    slots.values().forEach(Slot::close);
    slots.clear();
    memory.close();
  }
}
