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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Records the operations that a computation runs on the current thread.
///
/// A value is identified by its array and shape, since arrays never change. Tensors that share
/// both, such as a tensor and its detached copy, are the same value.
public final class Trace {
  /// Prefixes of classes whose lines say nothing to users.
  private static final List<String> LIBRARY =
      List.of(
          "dev.tensorbus.autograd.",
          "dev.tensorbus.distributions.",
          "dev.tensorbus.nn.",
          "dev.tensorbus.optim.",
          "java.",
          "jdk.");

  private static final ScopedValue<Trace> CURRENT = ScopedValue.newInstance();

  private final Map<Place, Value> values = new HashMap<>();
  private final IdentityHashMap<Tensor, Value> leaves = new IdentityHashMap<>();
  private final List<Step> steps = new ArrayList<>();

  /// Whether the computation includes its derivatives and may change its state.
  private final boolean isStep;

  private Trace(boolean isStep) {
    this.isStep = isStep;
  }

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
  /// @param changed the new values of the state that the computation changed, by name
  /// @param results the results as tensors
  public record Traced(
      List<Value> inputs,
      List<Step> steps,
      List<Value> outputs,
      Map<String, Value> changed,
      List<Tensor> results) {}

  /// Runs a computation and records its steps.
  ///
  /// @param state tensors whose values may differ from run to run, by name
  /// @throws IllegalStateException if the computation changes a tensor of `state` that has no
  ///     gradient, such as running statistics; another engine could not repeat that change
  public static Traced of(
      Map<String, Tensor> state,
      List<Tensor> inputs,
      Function<List<Tensor>, List<Tensor>> computation) {
    return new Trace(false).run(state, inputs, computation);
  }

  /// Runs a computation that includes its derivatives and may replace tensors of its state, such as
  /// a step of training, and records its steps. Its backward passes must [create a
  /// graph][dev.tensorbus.autograd.graph.Backward#createGraph], since others compute derivatives
  /// with kernels, which are not recorded.
  ///
  /// @param state tensors that the computation reads and may replace, by name
  /// @throws IllegalStateException if the computation uses a function that cannot be recorded
  public static Traced ofStep(
      Map<String, Tensor> state,
      List<Tensor> inputs,
      Function<List<Tensor>, List<Tensor>> computation) {
    return new Trace(true).run(state, inputs, computation);
  }

  private Traced run(
      Map<String, Tensor> state,
      List<Tensor> inputs,
      Function<List<Tensor>, List<Tensor>> computation) {
    IdentityHashMap<Tensor, Object> before = enterState(state);
    List<Tensor> own = inputs.stream().map(Trace::ofItsOwn).toList();
    List<Value> given = new ArrayList<>();
    for (Tensor input : own) {
      given.add(enter(new Value.Source.Input(given.size()), input));
    }
    List<Tensor> results = ScopedValue.where(CURRENT, this).call(() -> computation.apply(own));
    Map<String, Value> changed = isStep ? changed(state, before) : Map.of();
    if (!isStep) {
      requireUnchanged(state, before);
    }
    List<Value> outputs = results.stream().map(this::valueOf).toList();
    List<Value> wanted = Stream.concat(outputs.stream(), changed.values().stream()).toList();
    return new Traced(given, needed(steps, wanted), outputs, changed, results);
  }

  @SuppressWarnings("ReferenceEquality") // a changed tensor has a new array
  private Map<String, Value> changed(
      Map<String, Tensor> state, IdentityHashMap<Tensor, Object> before) {
    Map<String, Value> changed = new LinkedHashMap<>();
    state.forEach(
        (name, tensor) -> {
          if (before.get(tensor) != tensor.heap().array()) {
            changed.put(name, valueOf(tensor));
          }
        });
    return changed;
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
          Value value = enter(new Value.Source.State(name, tensor), tensor);
          if (!isStep) {
            leaves.putIfAbsent(tensor, value);
          }
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
  ///
  /// @param law what determines its distribution, besides its shape; compared with `equals`
  public static Tensor drawn(Object law, Supplier<Tensor> draw) {
    Tensor first = draw.get();
    if (CURRENT.isBound()) {
      CURRENT.get().enter(new Value.Source.Drawn(law, draw), first);
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
    steps.add(new Step(operation, from, recorded, to, isStep ? userLine() : null));
  }

  /// Returns the innermost line on the stack that is not Tensorbus's own.
  private static @Nullable String userLine() {
    return StackWalker.getInstance()
        .walk(frames -> frames.filter(frame -> isOfUser(frame.getClassName())).findFirst())
        .map(frame -> frame.getFileName() + ":" + frame.getLineNumber())
        .orElse(null);
  }

  private static boolean isOfUser(String type) {
    return LIBRARY.stream().noneMatch(type::startsWith);
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
    if (isStep && known == null && !tensor.isLeaf()) {
      throw new IllegalStateException(
          "the step uses a result of %s, %s, which is not recorded: ONNX has no operator for it"
              .formatted(tensor.gradientEdge().node(), tensor.shape()));
    }
    if (!isStep && tensor.requiresGrad() && (known == null || !known.requiresGrad())) {
      throw new IllegalStateException(
          "forward uses a result of %s, %s, whose gradient does not go to an input or"
                  .formatted(tensor.gradientEdge().node(), tensor.shape())
              + " parameter of the layer and for which ONNX has no operator; make it an input");
    }
    if (known != null) {
      return known;
    }
    Tensor values = tensor.detach();
    return enter(new Value.Source.Constant(values, tensor.isLeaf() ? tensor : values), tensor);
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
