// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.NoGrad;
import dev.tensorbus.autograd.OnnxException;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.onnx.forward.Plan;
import dev.tensorbus.autograd.onnx.runtime.Session;
import dev.tensorbus.autograd.trace.Trace;
import dev.tensorbus.nn.Layer;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Runs the forward pass of a layer in ONNX Runtime, for inference or for training. In training,
/// our own engine computes the derivatives.
///
/// The first pass with a given combination of input shapes, input types, training mode and gradient
/// recording runs in Java and is traced; later passes with the same combination run in ONNX
/// Runtime. Control flow that depends on values is therefore fixed by the first pass. Each pass and
/// its derivatives use the parameters as they are when the pass starts. Random numbers are drawn
/// from the layer's generators in the same order as in Java, so equal seeds give equal results, up
/// to rounding.
///
/// Thread-safe. Must be closed to free native memory.
public final class Accelerated implements AutoCloseable {
  /// The maximum number of cached plans; the least recently used one is evicted.
  private static final int MOST_PLANS = 8;

  private final Layer layer;
  private final Function<List<Tensor>, List<Tensor>> forward;
  private final Device device;
  private final Map<Pass, Plan> plans = new LinkedHashMap<>(16, 0.75f, true);
  private boolean closed;

  private Accelerated(Layer layer, Function<List<Tensor>, List<Tensor>> forward, Device device) {
    this.layer = layer;
    this.forward = forward;
    this.device = device;
  }

  /// Creates an instance that runs `forward`, a function of one tensor that uses the parameters of
  /// `layer`, on a device: `Accelerated.of(net, net::forward, Device.CPU)`.
  ///
  /// @throws OnnxException if ONNX Runtime is missing or cannot use the device
  public static Accelerated of(Layer layer, UnaryOperator<Tensor> forward, Device device) {
    return ofAll(layer, inputs -> List.of(forward.apply(inputs.getFirst())), device);
  }

  /// Creates an instance that runs a function of several tensors on a device.
  ///
  /// @throws OnnxException if ONNX Runtime is missing or cannot use the device
  public static Accelerated ofAll(
      Layer layer, Function<List<Tensor>, List<Tensor>> forward, Device device) {
    device.require();
    return new Accelerated(layer, forward, device);
  }

  /// The key of a plan: passes with equal keys share a plan.
  private record Pass(List<Kind> inputs, boolean training, boolean recording) {}

  private record Kind(Shape shape, DType type, boolean requiresGrad) {
    static Kind of(Tensor tensor) {
      return new Kind(tensor.shape(), tensor.dtype(), tensor.requiresGrad());
    }
  }

  /// Runs the forward pass on one tensor.
  public Tensor forward(Tensor input) {
    return forwardAll(List.of(input)).getFirst();
  }

  /// Runs the forward pass on several tensors.
  ///
  /// @throws OnnxException if the forward pass cannot be repeated in ONNX Runtime
  /// @throws IllegalStateException if this is closed
  public List<Tensor> forwardAll(List<Tensor> inputs) {
    Pass pass =
        new Pass(inputs.stream().map(Kind::of).toList(), layer.isTraining(), !NoGrad.isOn());
    while (true) {
      Plan plan = find(pass);
      if (plan == null) {
        return first(pass, inputs);
      }
      try {
        return plan.run(inputs);
      } catch (Session.ClosedException e) {
        // Another thread evicted the plan; create it again.
      }
    }
  }

  private synchronized @Nullable Plan find(Pass pass) {
    requireOpen();
    return plans.get(pass);
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("this Accelerated is closed; create a new one");
    }
  }

  /// Runs a pass in Java and creates the plan with which later passes run in ONNX Runtime.
  private synchronized List<Tensor> first(Pass pass, List<Tensor> inputs) {
    requireOpen(); // another thread may have closed it since the lookup of the plan
    try {
      Map<String, Tensor> state = new LinkedHashMap<>(layer.namedParameters());
      state.putAll(layer.namedBuffers());
      Trace.Traced traced = Trace.of(state, inputs, forward);
      Plan before = plans.put(pass, new Plan(traced, device.provider()));
      if (before != null) {
        before.close();
      }
      closeOldest();
      return traced.results();
    } catch (IllegalStateException e) {
      throw new OnnxException("cannot run on ONNX Runtime: " + e.getMessage(), e);
    }
  }

  private void closeOldest() {
    Iterator<Plan> oldest = plans.values().iterator();
    while (plans.size() > MOST_PLANS) {
      oldest.next().close();
      oldest.remove();
    }
  }

  /// Waits for running passes to finish and frees all native memory. Recorded graphs remain valid.
  @Override
  public synchronized void close() {
    closed = true;
    plans.values().forEach(Plan::close);
    plans.clear();
  }
}
