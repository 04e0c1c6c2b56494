// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.trace;

import dev.tensorbus.autograd.NoGrad;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.profiler.OperationEvent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/// Records the operations that a computation runs on the current thread.
///
/// A value is identified by its array and shape, since arrays never change. Tensors that share
/// both, such as a tensor and its detached copy, are the same value.
public final class Trace {
  private static final ScopedValue<Trace> CURRENT = ScopedValue.newInstance();

  private final Map<Place, Value> values = new HashMap<>();
  private final IdentityHashMap<Tensor, Value> leaves = new IdentityHashMap<>();
  private final List<Step> steps = new ArrayList<>();

  private Trace() {}

  private record Place(Object array, Shape shape) {
    static Place of(Tensor tensor) {
      return new Place(tensor.heap().array(), tensor.shape());
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // compares identities
    public boolean equals(Object other) {
      return other instanceof Place place && place.array == array && place.shape.equals(shape);
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(array) * 31 + shape.hashCode();
    }
  }

  /// A recorded computation.
  ///
  /// @param steps the steps that the outputs depend on, in order
  /// @param outputs the results as values of the trace
  /// @param results the results as tensors
  public record Traced(
      List<Value> inputs, List<Step> steps, List<Value> outputs, List<Tensor> results) {}

  /// Runs a computation and records its steps.
  ///
  /// @param state tensors whose values may differ from run to run, by name
  /// @throws IllegalStateException if the computation changes a tensor of `state` that has no
  ///     gradient, such as running statistics; another engine could not repeat that change
  public static Traced of(
      Map<String, Tensor> state,
      List<Tensor> inputs,
      Function<List<Tensor>, List<Tensor>> computation) {
    Trace trace = new Trace();
    IdentityHashMap<Tensor, Object> before = trace.enterState(state);
    List<Tensor> own = inputs.stream().map(Trace::ofItsOwn).toList();
    List<Value> given = new ArrayList<>();
    for (Tensor input : own) {
      given.add(trace.enter(new Value.Source.Input(given.size()), input));
    }
    List<Tensor> results = ScopedValue.where(CURRENT, trace).call(() -> computation.apply(own));
    requireUnchanged(state, before);
    List<Value> outputs = results.stream().map(trace::valueOf).toList();
    return new Traced(given, needed(trace.steps, outputs), outputs, results);
  }

  /// Enters the tensors of the state as values of the trace. Values are identified by their arrays,
  /// so tensors that share an array are given separate copies.
  ///
  /// @return the array of each tensor
  private IdentityHashMap<Tensor, Object> enterState(Map<String, Tensor> state) {
    IdentityHashMap<Tensor, Object> storages = new IdentityHashMap<>();
    IdentityHashMap<Object, Tensor> seen = new IdentityHashMap<>();
    state.forEach(
        (name, tensor) -> {
          if (seen.putIfAbsent(tensor.heap().array(), tensor) != null) {
            tensor.replace(Trace::copy);
          }
          storages.put(tensor, tensor.heap().array());
          leaves.putIfAbsent(tensor, enter(new Value.Source.State(name, tensor), tensor));
        });
    return storages;
  }

  @SuppressWarnings("ReferenceEquality") // a changed tensor has a new array
  private static void requireUnchanged(
      Map<String, Tensor> state, IdentityHashMap<Tensor, Object> before) {
    state.forEach(
        (name, tensor) -> {
          if (!tensor.requiresGrad() && before.get(tensor) != tensor.heap().array()) {
            throw new IllegalStateException(
                name
                    + " changed during forward, as running statistics do in training, which an ONNX"
                    + " model cannot repeat; call eval() first");
          }
        });
  }

  private static Tensor ofItsOwn(Tensor input) {
    Tensor copy = copy(input);
    return input.requiresGrad() ? Tensor.recorded(copy, input.gradientEdge()) : copy;
  }

  private static Tensor copy(Tensor tensor) {
    return Tensor.ofStorage(tensor.shape(), tensor.heap().copy());
  }

  /// Returns whether this thread is tracing.
  public static boolean isOn() {
    return CURRENT.isBound();
  }

  /// Records a step if this thread is tracing.
  public static void note(Traceable operation, List<Tensor> results, Tensor... inputs) {
    if (CURRENT.isBound()) {
      CURRENT.get().add(operation, results, inputs);
    }
  }

  /// Runs a step with one result and without a derivative, and records it.
  public static Tensor run(Traceable operation, Supplier<Tensor> step, Tensor... inputs) {
    OperationEvent event = OperationEvent.begun();
    Tensor result = step.get();
    event.end(operation::name, inputs, result);
    note(operation, List.of(result), inputs);
    return result;
  }

  /// Draws a random tensor. Each repetition of the trace draws a new one.
  public static Tensor drawn(Supplier<Tensor> draw) {
    Tensor first = draw.get();
    if (CURRENT.isBound()) {
      CURRENT.get().enter(new Value.Source.Drawn(draw), first);
    }
    return first;
  }

  private void add(Traceable operation, List<Tensor> results, Tensor... inputs) {
    List<Value> from = Arrays.stream(inputs).map(this::valueOf).toList();
    boolean records = operation instanceof Differentiable && !NoGrad.isOn();
    List<Boolean> recorded =
        Arrays.stream(inputs).map(input -> records && input.requiresGrad()).toList();
    if (results.stream().allMatch(this::isKnown)) {
      return; // the operation returned its input
    }
    boolean hasGradient = recorded.contains(true);
    List<Value> to =
        results.stream()
            .map(result -> enter(new Value.Source.Result(), result, hasGradient))
            .toList();
    steps.add(new Step(operation, from, recorded, to));
  }

  private boolean isKnown(Tensor tensor) {
    return values.containsKey(Place.of(tensor));
  }

  private Value enter(Value.Source source, Tensor tensor) {
    return enter(source, tensor, tensor.requiresGrad());
  }

  /// Returns the value for the tensor's array and shape, creating it if necessary.
  private Value enter(Value.Source source, Tensor tensor, boolean requiresGrad) {
    return values.computeIfAbsent(Place.of(tensor), _ -> new Value(source, tensor, requiresGrad));
  }

  private Value valueOf(Tensor tensor) {
    Value leaf = leaves.get(tensor);
    if (leaf != null) {
      return leaf;
    }
    Value known = values.get(Place.of(tensor));
    if (tensor.requiresGrad() && (known == null || !known.requiresGrad())) {
      throw new IllegalStateException(
          "forward uses a result of %s, %s, whose gradient does not go to an input or"
                  .formatted(tensor.gradientEdge().node(), tensor.shape())
              + " parameter of the layer and for which ONNX has no operator; make it an input");
    }
    if (known != null) {
      return known;
    }
    return enter(new Value.Source.Constant(tensor.detach()), tensor);
  }

  private static List<Step> needed(List<Step> steps, List<Value> outputs) {
    Set<Value> wanted = new HashSet<>(outputs);
    List<Step> needed = new ArrayList<>();
    for (Step step : steps.reversed()) {
      if (step.results().stream().anyMatch(wanted::contains)) {
        needed.add(step);
        wanted.addAll(step.inputs());
      }
    }
    return List.copyOf(needed.reversed());
  }
}
