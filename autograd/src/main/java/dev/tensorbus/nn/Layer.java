// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// A building block of networks, with parameters and child layers. Like `torch.nn.Module`.
///
/// A subclass registers its parameters and children by name in its constructor and computes in a
/// `forward` method, whose arguments and result it defines. Any number of threads may use a layer
/// concurrently.
public abstract class Layer {
  private final Map<String, Tensor> own = new LinkedHashMap<>();
  private final Map<String, Tensor> buffers = new LinkedHashMap<>();
  private final Map<String, Layer> children = new LinkedHashMap<>();
  private final List<Consumer<Tensor>> listeners = new CopyOnWriteArrayList<>();
  private volatile boolean training = true;

  /// Creates a layer in training mode.
  protected Layer() {}

  /// Registers a parameter with the given initial values. The layer takes ownership of the array.
  protected final Tensor parameter(String name, Shape shape, float[] values) {
    requireNew(name);
    Tensor parameter = Tensor.parameter(shape, values);
    parameter.setName(name);
    own.put(name, parameter);
    listeners.forEach(listener -> listener.accept(parameter));
    return parameter;
  }

  /// Registers values that are part of the state but not learned, such as running statistics.
  /// Update them with [Tensor#replace]. Like torch's `register_buffer`.
  protected final Tensor buffer(String name, Tensor values) {
    requireNew(name);
    buffers.put(name, values);
    return values;
  }

  /// Registers a child layer. A layer may be registered under several names; its parameters are
  /// then tied: each is one parameter with several names.
  protected final <L extends Layer> L child(String name, L layer) {
    requireNew(name);
    children.put(name, layer);
    namedParameters().forEach((inner, tensor) -> tensor.setName(inner));
    listeners.forEach(layer::forEachParameter);
    return layer;
  }

  private void requireNew(String name) {
    if (name.isEmpty() || name.contains(".")) {
      throw new IllegalArgumentException(
          "invalid name \"" + name + "\"; a name must not be empty or contain a dot");
    }
    if (own.containsKey(name) || buffers.containsKey(name) || children.containsKey(name)) {
      throw new IllegalArgumentException("\"" + name + "\" is already registered");
    }
  }

  /// Returns all parameters in the order of registration: those of this layer, then those of its
  /// children. A parameter with several names occurs once.
  public final List<Tensor> parameters() {
    return List.copyOf(namedParameters().values());
  }

  /// Returns all parameters under torch's names, such as `conv1.weight`. A parameter with several
  /// names occurs under the first one, as in torch; [#state] contains all names.
  public final Map<String, Tensor> namedParameters() {
    return namedParameters(true);
  }

  /// Returns all parameters by name. A parameter with several names occurs under its first name if
  /// `removeDuplicate` is true, otherwise under all names. Like torch's
  /// `named_parameters(remove_duplicate=…)`.
  public final Map<String, Tensor> namedParameters(boolean removeDuplicate) {
    Map<String, Tensor> named = new LinkedHashMap<>();
    collect("", false, named);
    return removeDuplicate ? firstNames(named) : named;
  }

  private static Map<String, Tensor> firstNames(Map<String, Tensor> named) {
    Set<Tensor> seen = new HashSet<>();
    named.values().removeIf(tensor -> !seen.add(tensor));
    return named;
  }

  /// Calls `listener` with each parameter of this layer and its children, and with each parameter
  /// that they register later. A parameter that several layers share may be reported several times.
  public final void forEachParameter(Consumer<Tensor> listener) {
    listeners.add(listener);
    own.values().forEach(listener);
    children.values().forEach(child -> child.forEachParameter(listener));
  }

  /// Returns the parameters whose names match a condition, for example to train them with different
  /// hyperparameters or to [freeze][Tensor#requiresGrad(boolean)] them: `net.parametersWhere(name
  /// -> name.startsWith("head."))`.
  public final List<Tensor> parametersWhere(Predicate<String> isChosen) {
    return namedParameters().entrySet().stream()
        .filter(named -> isChosen.test(named.getKey()))
        .map(Map.Entry::getValue)
        .toList();
  }

  /// Returns the child layers by name. Like torch's `named_children`.
  public final Map<String, Layer> namedChildren() {
    return Collections.unmodifiableMap(children);
  }

  /// Returns this layer's own parameters by name, without those of its children.
  final Map<String, Tensor> ownParameters() {
    return Collections.unmodifiableMap(own);
  }

  /// Returns all buffers of this layer and its children, each under its first name. Like torch's
  /// `named_buffers`.
  public final Map<String, Tensor> namedBuffers() {
    Map<String, Tensor> named = stateTensors();
    named.values().removeAll(Set.copyOf(parameters()));
    return firstNames(named);
  }

  private void collect(String prefix, boolean withBuffers, Map<String, Tensor> named) {
    own.forEach((name, parameter) -> named.put(prefix + name, parameter));
    if (withBuffers) {
      buffers.forEach((name, buffer) -> named.put(prefix + name, buffer));
    }
    children.forEach((name, child) -> child.collect(prefix + name + ".", withBuffers, named));
  }

  /// Returns parameters and buffers under all their names.
  private Map<String, Tensor> stateTensors() {
    Map<String, Tensor> named = new LinkedHashMap<>();
    collect("", true, named);
    return named;
  }

  /// Converts all floating-point parameters and buffers of this layer and its children to another
  /// floating-point type, in place. Call it before creating an optimizer, and not while other
  /// threads compute with the layer. Like torch's `Module.to(dtype)`.
  ///
  /// @throws IllegalArgumentException if the type is not float32 or float64
  public final void to(DType type) {
    if (!type.isFloating()) {
      throw new IllegalArgumentException(
          "to: layers can be converted to float32 or float64, not to " + type);
    }
    stateTensors().values().stream()
        .filter(tensor -> tensor.dtype().isFloating())
        .forEach(tensor -> tensor.convertTo(type));
  }

  /// Freezes or unfreezes all parameters of this layer and its children; see
  /// [Tensor#requiresGrad(boolean)]. Like torch's `Module.requires_grad_`.
  public final void requiresGrad(boolean wanted) {
    parameters().forEach(parameter -> parameter.requiresGrad(wanted));
  }

  /// Returns the gradients of all [#parameters] that are not frozen, in the same order.
  ///
  /// @throws IllegalStateException if one of these parameters has no gradient
  public final List<Tensor> gradients() {
    return namedParameters().entrySet().stream()
        .filter(named -> named.getValue().requiresGrad())
        .map(named -> gradient(named.getKey(), named.getValue()))
        .toList();
  }

  private static Tensor gradient(String name, Tensor parameter) {
    Tensor gradient = parameter.grad();
    if (gradient == null) {
      throw new IllegalStateException(
          "gradients: parameter " + name + " has no gradient; call backward on a loss first");
    }
    return gradient;
  }

  /// Clears the gradients of all parameters. Like torch's `Module.zero_grad`.
  public final void zeroGrad() {
    parameters().forEach(Tensor::zeroGrad);
  }

  /// Switches this layer and its children to training mode, in which dropout is active.
  public final void train() {
    setTraining(true);
  }

  /// Switches this layer and its children to evaluation mode, in which results depend only on the
  /// input.
  public final void eval() {
    setTraining(false);
  }

  private void setTraining(boolean training) {
    this.training = training;
    children.values().forEach(child -> child.setTraining(training));
  }

  /// Returns whether this layer is in training mode and this thread is not in [Evaluation].
  public final boolean isTraining() {
    return training && !Evaluation.isOn();
  }

  /// Seeds the random numbers of this layer and its children, so that the next forward passes drop
  /// the same values as those after another call with this seed. Like torch's `manual_seed`, but
  /// for one model.
  public final void manualSeed(long seed) {
    seeded(seed);
    SplittableRandom seeds = new SplittableRandom(seed);
    children.values().forEach(child -> child.manualSeed(seeds.nextLong()));
  }

  /// Seeds the random numbers of this layer alone. Overridden by layers that have some.
  protected void seeded(long seed) {}

  /// Returns the current values of all parameters and buffers, under all their names.
  public final StateDict state() {
    Map<String, Tensor> values = new LinkedHashMap<>();
    stateTensors().forEach((name, tensor) -> values.put(name, tensor.detach()));
    return new StateDict(values);
  }

  /// Loads the values of all parameters and buffers. Values are converted to the type of the
  /// parameter or buffer. For a parameter with several names, the state needs only one of them.
  ///
  /// @throws IllegalArgumentException if a name is missing or unexpected, a shape differs, or the
  ///     values of tied names differ; in this case nothing is changed
  public final void load(StateDict state) {
    requireFit(state);
    Map<String, Tensor> tensors = stateTensors();
    state.tensors().forEach((name, given) -> set(tensors, name, given));
  }

  /// Checks that [#load] would accept this state.
  ///
  /// @throws IllegalArgumentException if [#load] would reject it
  public final void requireFit(StateDict state) {
    List<String> problems = problems(stateTensors(), state.tensors());
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException("load: " + String.join("; ", problems));
    }
  }

  /// Loads the values that `state` contains for this layer's names and leaves other parameters and
  /// buffers unchanged, for example to start from a network that was trained for another task. Like
  /// torch's `load_state_dict(state, strict=False)`.
  ///
  /// @return the names that did not match
  /// @throws IllegalArgumentException if a shape differs, or the values of tied names differ; in
  ///     this case nothing is changed. [StateDict#select] can exclude such tensors
  public final IncompatibleKeys loadMatching(StateDict state) {
    Map<String, Tensor> expected = stateTensors();
    Map<String, Tensor> given = state.tensors();
    List<String> problems = differentShapes(expected, given);
    problems.addAll(differentValues(expected, given));
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException("load: " + String.join("; ", problems));
    }
    given.forEach((name, values) -> set(expected, name, values));
    return new IncompatibleKeys(
        missing(expected, given), without(given.keySet(), expected.keySet()));
  }

  /// The names that do not match between a layer and a state. Like the result of torch's
  /// `load_state_dict`.
  ///
  /// @param missing the parameters and buffers that are not in the state
  /// @param unexpected the tensors of the state that the layer does not have
  public record IncompatibleKeys(List<String> missing, List<String> unexpected) {}

  /// Returns all names of each tensor that occurs in the state under none of its names.
  private static List<String> missing(Map<String, Tensor> expected, Map<String, Tensor> given) {
    Set<Tensor> found = new HashSet<>();
    given.keySet().stream().filter(expected::containsKey).map(expected::get).forEach(found::add);
    return expected.entrySet().stream()
        .filter(named -> !found.contains(named.getValue()))
        .map(Map.Entry::getKey)
        .toList();
  }

  private static List<String> without(Set<String> names, Set<String> others) {
    return names.stream().filter(name -> !others.contains(name)).toList();
  }

  private static void set(Map<String, Tensor> tensors, String name, Tensor given) {
    Tensor tensor = tensors.get(name);
    if (tensor != null) {
      tensor.replace(old -> given.to(old.dtype()));
    }
  }

  private static List<String> problems(Map<String, Tensor> expected, Map<String, Tensor> given) {
    List<String> problems = new ArrayList<>();
    missing(expected, given).forEach(name -> problems.add(name + " is missing"));
    problems.addAll(differentShapes(expected, given));
    problems.addAll(differentValues(expected, given));
    without(given.keySet(), expected.keySet())
        .forEach(name -> problems.add(name + " is unexpected"));
    return problems;
  }

  private static List<String> differentShapes(
      Map<String, Tensor> expected, Map<String, Tensor> given) {
    List<String> problems = new ArrayList<>();
    expected.forEach(
        (name, tensor) -> {
          Tensor values = given.get(name);
          if (values != null && !values.shape().equals(tensor.shape())) {
            problems.add(name + " is " + values.shape() + ", expected " + tensor.shape());
          }
        });
    return problems;
  }

  /// Returns an error message for each tied name whose values differ from those of the first name.
  private static List<String> differentValues(
      Map<String, Tensor> expected, Map<String, Tensor> given) {
    List<String> problems = new ArrayList<>();
    Map<Tensor, String> firstNames = new HashMap<>();
    expected.forEach(
        (name, tensor) -> {
          Tensor values = given.get(name);
          String first = values == null ? null : firstNames.putIfAbsent(tensor, name);
          Tensor firstValues = first == null ? null : given.get(first);
          if (values != null && firstValues != null && !areEqual(firstValues, values)) {
            problems.add(
                first + " and " + name + " are the same parameter, but their values differ");
          }
        });
    return problems;
  }

  private static boolean areEqual(Tensor a, Tensor b) {
    return a.heap().equals(b.heap());
  }
}
