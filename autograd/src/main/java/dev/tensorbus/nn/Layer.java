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
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// A building block with parameters, which may be built of others. After `torch.nn.Module`.
///
/// A subclass registers its parameters and children by name in its constructor and computes in a
/// `forward` method, whose arguments and result are its own affair. Any number of threads may use
/// a layer at once.
public abstract class Layer {
  private final Map<String, Tensor> own = new LinkedHashMap<>();
  private final Map<String, Tensor> buffers = new LinkedHashMap<>();
  private final Map<String, Layer> children = new LinkedHashMap<>();
  private final List<Consumer<Tensor>> listeners = new CopyOnWriteArrayList<>();
  private volatile boolean training = true;

  /// For subclasses; a new layer is in training mode.
  protected Layer() {}

  /// Registers a parameter with these values, which then belong to it.
  protected final Tensor parameter(String name, Shape shape, float[] values) {
    requireNew(name);
    Tensor parameter = Tensor.parameter(shape, values);
    parameter.setName(name);
    own.put(name, parameter);
    listeners.forEach(listener -> listener.accept(parameter));
    return parameter;
  }

  /// Registers values that belong to the state but are not learned, such as running statistics;
  /// [Tensor#replace] gives them new ones. After torch's `register_buffer`.
  protected final Tensor buffer(String name, Tensor values) {
    requireNew(name);
    buffers.put(name, values);
    return values;
  }

  /// Registers a layer that this one is built of. One layer may be registered under several names:
  /// its parameters are tied then, one parameter each with several names.
  protected final <L extends Layer> L child(String name, L layer) {
    requireNew(name);
    children.put(name, layer);
    namedParameters().forEach((inner, tensor) -> tensor.setName(inner));
    listeners.forEach(layer::forEachParameter);
    return layer;
  }

  private void requireNew(String name) {
    if (name.isEmpty() || name.contains(".")) {
      throw new IllegalArgumentException("a name is not empty and has no dot: \"" + name + "\"");
    }
    if (own.containsKey(name) || buffers.containsKey(name) || children.containsKey(name)) {
      throw new IllegalArgumentException("\"" + name + "\" is registered already");
    }
  }

  /// All parameters, this layer's own and then its children's, in the order of registration. A
  /// parameter with several names is there once.
  public final List<Tensor> parameters() {
    return List.copyOf(namedParameters().values());
  }

  /// All parameters under torch's names, such as `conv1.weight`. A parameter with several names is
  /// there under its first, as in torch; [#state] has all names.
  public final Map<String, Tensor> namedParameters() {
    return namedParameters(true);
  }

  /// Does so without the duplicates of tied parameters, or under all names. After the argument
  /// `remove_duplicate` of torch's `named_parameters`.
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

  /// Calls `listener` with each parameter of this layer and its children, and with each one that
  /// they register from now on, for code that has to do something with all of them. A parameter of
  /// several layers may be reported several times.
  public final void forEachParameter(Consumer<Tensor> listener) {
    listeners.add(listener);
    own.values().forEach(listener);
    children.values().forEach(child -> child.forEachParameter(listener));
  }

  /// The parameters whose names a condition chooses, such as a group with settings of its own, or
  /// those to [freeze][Tensor#requiresGrad(boolean)]:
  /// `net.parametersWhere(name -> name.startsWith("head."))`.
  public final List<Tensor> parametersWhere(Predicate<String> isChosen) {
    return namedParameters().entrySet().stream()
        .filter(named -> isChosen.test(named.getKey()))
        .map(Map.Entry::getValue)
        .toList();
  }

  /// The layers that this one is built of, by name. After torch's `named_children`.
  public final Map<String, Layer> namedChildren() {
    return Collections.unmodifiableMap(children);
  }

  /// The parameters that are this layer's own and not a child's, by name.
  final Map<String, Tensor> ownParameters() {
    return Collections.unmodifiableMap(own);
  }

  /// All buffers, of this layer and its children, each under its first name. After torch's
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

  /// Parameters and buffers, under all their names.
  private Map<String, Tensor> stateTensors() {
    Map<String, Tensor> named = new LinkedHashMap<>();
    collect("", true, named);
    return named;
  }

  /// Converts all parameters and buffers of this layer and its children that are floating to
  /// another such type, in place. Call it before an optimizer takes the parameters, and not while
  /// others compute with them. After torch's `Module.to(dtype)`.
  ///
  /// @throws IllegalArgumentException if networks do not compute in the type
  public final void to(DType type) {
    if (!type.isFloating()) {
      throw new IllegalArgumentException(
          "to: layers compute in float32 or float64, not in " + type);
    }
    stateTensors().values().stream()
        .filter(tensor -> tensor.dtype().isFloating())
        .forEach(tensor -> tensor.convertTo(type));
  }

  /// Freezes all parameters of this layer and its children, or has them learn again; see
  /// [Tensor#requiresGrad(boolean)]. After torch's `Module.requires_grad_`.
  public final void requiresGrad(boolean wanted) {
    parameters().forEach(parameter -> parameter.requiresGrad(wanted));
  }

  /// The gradients of all [#parameters] that are not frozen, in their order.
  ///
  /// @throws IllegalStateException if such a parameter has none
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
          "gradients: parameter " + name + " has none; call backward on a loss first");
    }
    return gradient;
  }

  /// Forgets the gradients of all parameters. After torch's `Module.zero_grad`.
  public final void zeroGrad() {
    parameters().forEach(Tensor::zeroGrad);
  }

  /// Switches this layer and its children to training: dropout leaves values out.
  public final void train() {
    setTraining(true);
  }

  /// Switches this layer and its children to evaluation: results depend on the input alone.
  public final void eval() {
    setTraining(false);
  }

  private void setTraining(boolean training) {
    this.training = training;
    children.values().forEach(child -> child.setTraining(training));
  }

  /// Whether this layer is in training mode, and this thread is not in [Evaluation].
  public final boolean isTraining() {
    return training && !Evaluation.isOn();
  }

  /// The present values of all parameters and buffers, under all their names.
  public final StateDict state() {
    Map<String, Tensor> values = new LinkedHashMap<>();
    stateTensors().forEach((name, tensor) -> values.put(name, tensor.detach()));
    return new StateDict(values);
  }

  /// Gives all parameters and buffers the values of `state`, converted to their types. For a
  /// parameter with several names one of these is enough.
  ///
  /// @throws IllegalArgumentException if a name is missing or unexpected, a shape differs, or the
  ///     names of one parameter have different values; nothing is changed then
  public final void load(StateDict state) {
    requireFit(state);
    Map<String, Tensor> tensors = stateTensors();
    state.tensors().forEach((name, given) -> set(tensors, name, given));
  }

  /// Checks that [#load] would take this state.
  ///
  /// @throws IllegalArgumentException if not
  public final void requireFit(StateDict state) {
    List<String> problems = problems(stateTensors(), state.tensors());
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException("load: " + String.join("; ", problems));
    }
  }

  /// Gives parameters and buffers the values that `state` has for their names, and leaves the
  /// others alone: to begin with the weights of a network that was trained for something else.
  /// After torch's `load_state_dict(state, strict=False)`.
  ///
  /// @return the names that did not match
  /// @throws IllegalArgumentException if a shape differs, or the names of one parameter have
  ///     different values; nothing is changed then. [StateDict#select] leaves such a part out
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

  /// The names of a layer and a state that do not match. After the result of torch's
  /// `load_state_dict`.
  ///
  /// @param missing parameters and buffers that the state does not have
  /// @param unexpected tensors of the state that the layer does not have
  public record IncompatibleKeys(List<String> missing, List<String> unexpected) {}

  /// The names of tensors that are given under none of their names.
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

  /// The names of one tensor whose values differ.
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
            problems.add(first + " and " + name + " are one parameter, but their values differ");
          }
        });
    return problems;
  }

  private static boolean areEqual(Tensor a, Tensor b) {
    return a.heap().equals(b.heap());
  }
}
