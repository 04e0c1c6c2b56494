// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.NoGrad;
import dev.tensorbus.autograd.OnnxException;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.onnx.graph.Translation;
import dev.tensorbus.autograd.onnx.runtime.CudaKernels;
import dev.tensorbus.autograd.onnx.step.OutOfMemory;
import dev.tensorbus.autograd.onnx.step.ResidentState;
import dev.tensorbus.autograd.onnx.step.StepGraph;
import dev.tensorbus.autograd.trace.Trace;
import dev.tensorbus.nn.Layer;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Runs a step of training, with its derivatives and updates, as one graph in ONNX Runtime. The
/// state of the step, such as parameters, stays in ONNX Runtime's memory from run to run, and is
/// copied to Java when it is read there. Like `torch.compile`.
///
/// The first two steps of each kind run in Java and are traced; if both record the same graph, ONNX
/// Runtime runs the later ones. A kind is the types and shapes of the inputs and of the state, and
/// the [mode][Definition#mode]. A step that cannot be traced, or whose graph differs from run to
/// run, continues in Java; a warning gives the reason.
///
/// A graph repeats the operations and the numbers of its trace. If a step also depends on other
/// values in Java, such as a field that changes later, the graph uses the old ones. To notice that,
/// the 4th, 8th, 16th … step of a kind is traced again. So is one before which Java has changed a
/// tensor that the step uses but that is neither its input nor its state.
///
/// Any thread may run a step; steps run one at a time. Other threads may read the state. Must be
/// closed to free native memory.
public final class CompiledStep implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(CompiledStep.class.getName());

  /// The maximum number of kinds of steps that are compiled; others run in Java.
  private static final int MOST_KINDS = 8;

  private final Definition step;
  private final Device device;
  private final ResidentState resident;
  private final Map<Kind, Form> forms = new HashMap<>();
  private boolean isFull;
  private boolean closed;

  /// What a step computes.
  public interface Definition {
    /// Returns the tensors that the step reads and replaces, by name.
    Map<String, Tensor> state();

    /// Returns everything else that determines the operations of [#traced], such as whether a layer
    /// is in training mode. Compared with `equals`.
    Object mode();

    /// Computes the step by operations and replaces the state with [Tensor#replace]. Backward
    /// passes must [create a graph][dev.tensorbus.autograd.graph.Backward#createGraph].
    List<Tensor> traced(List<Tensor> inputs);

    /// Computes the same step without any requirements.
    List<Tensor> eager(List<Tensor> inputs);

    /// Returns whether a step with these results counts. If not, the state remains as before, and
    /// the step is repeated by [#eager].
    boolean isValid(List<Tensor> results);

    /// Called after each valid step that [#eager] did not compute.
    ///
    /// @param names the state that it replaced
    void replaced(Collection<String> names);
  }

  /// Steps of equal kinds share a graph.
  private record Kind(List<TensorKind> inputs, Map<String, TensorKind> state, Object mode) {
    static Kind of(List<Tensor> inputs, Map<String, Tensor> state, Object mode) {
      Map<String, TensorKind> kinds = new LinkedHashMap<>();
      state.forEach((name, tensor) -> kinds.put(name, TensorKind.of(tensor)));
      return new Kind(inputs.stream().map(TensorKind::of).toList(), kinds, mode);
    }

    List<String> described() {
      return inputs.stream().map(input -> input.type() + " " + input.shape()).toList();
    }
  }

  private record TensorKind(Shape shape, DType type, boolean requiresGrad) {
    static TensorKind of(Tensor tensor) {
      return new TensorKind(tensor.shape(), tensor.dtype(), tensor.requiresGrad());
    }
  }

  /// How the next step of a kind runs.
  private sealed interface Form {
    /// It is traced for the first time.
    record New() implements Form {}

    /// It is traced for the second time, and the graphs are compared.
    record Traced(Translation.Translated translated) implements Form {}

    /// It runs in ONNX Runtime, and is traced again now and then.
    record Compiled(StepGraph graph) implements Form {}

    /// It runs in Java.
    record Eager() implements Form {}
  }

  private CompiledStep(Definition step, Device device) {
    this.step = step;
    this.device = device;
    this.resident = new ResidentState(device.provider());
  }

  /// Creates an instance that runs steps on a device.
  ///
  /// @throws OnnxException if ONNX Runtime is missing or cannot use the device
  public static CompiledStep of(Definition step, Device device) {
    device.require();
    return new CompiledStep(step, device);
  }

  /// Returns whether gradients are recorded and whether each layer of a model is in training mode,
  /// for [Definition#mode].
  public static List<Boolean> modes(Layer model) {
    List<Boolean> modes = new ArrayList<>(List.of(NoGrad.isOn()));
    addModes(model, modes);
    return modes;
  }

  private static void addModes(Layer layer, List<Boolean> modes) {
    modes.add(layer.isTraining());
    layer.namedChildren().values().forEach(child -> addModes(child, modes));
  }

  /// Runs a step and returns its results, which are detached unless [Definition#eager] returns
  /// them.
  ///
  /// @throws IllegalStateException if this is closed
  public synchronized List<Tensor> run(List<Tensor> inputs) {
    if (closed) {
      throw new IllegalStateException("this step is closed; create a new one");
    }
    Map<String, Tensor> state = step.state();
    Kind kind = Kind.of(inputs, state, step.mode());
    Form known = forms.get(kind);
    return switch (known == null ? first(kind) : known) {
      case Form.Compiled form ->
          form.graph().countStep()
              ? traced(kind, form, state, inputs)
              : compiled(form.graph(), state, inputs);
      case Form.Eager _ -> step.eager(inputs);
      case Form.New form -> traced(kind, form, state, inputs);
      case Form.Traced form -> traced(kind, form, state, inputs);
    };
  }

  private Form first(Kind kind) {
    if (forms.size() < MOST_KINDS) {
      return new Form.New();
    }
    if (!isFull) {
      isFull = true;
      LOG.log(
          Level.WARNING,
          "steps with inputs {0}, and of all further kinds, run in Java, since {1} kinds have come"
              + " before; pad batches to a few sizes",
          kind.described(),
          MOST_KINDS);
    }
    return new Form.Eager();
  }

  private List<Tensor> compiled(StepGraph graph, Map<String, Tensor> state, List<Tensor> inputs) {
    List<Tensor> results;
    try {
      results = graph.run(resident, state, inputs);
    } catch (RuntimeException e) {
      resident.forget();
      throw OutOfMemory.explained(e, device.provider(), state.values(), inputs);
    }
    if (!step.isValid(results)) {
      resident.forget();
      return step.eager(inputs);
    }
    resident.replace(graph.changed());
    step.replaced(graph.changed());
    return results;
  }

  private List<Tensor> traced(
      Kind kind, Form form, Map<String, Tensor> state, List<Tensor> inputs) {
    Map<Tensor, Tensor> before = new HashMap<>();
    state.values().forEach(tensor -> before.put(tensor, tensor.detach()));
    Trace.Traced traced;
    try {
      traced = Trace.ofStep(state, inputs, step::traced);
    } catch (RuntimeException e) {
      restore(before);
      List<Tensor> results = step.eager(inputs); // throws as well if it is not the trace's fault
      become(kind, refused(kind, String.valueOf(e.getMessage())));
      return results;
    }
    List<Tensor> results = traced.results().stream().map(Tensor::detach).toList();
    if (!step.isValid(results)) {
      restore(before);
      return step.eager(inputs);
    }
    step.replaced(traced.changed().keySet());
    become(kind, next(kind, form, traced));
    return results;
  }

  private void become(Kind kind, Form form) {
    Form before = forms.put(kind, form);
    if (before instanceof Form.Compiled(StepGraph graph) && !before.equals(form)) {
      graph.close();
    }
  }

  private static void restore(Map<Tensor, Tensor> before) {
    before.forEach((tensor, values) -> tensor.replace(_ -> values));
  }

  private static Form refused(Kind kind, String reason) {
    LOG.log(Level.WARNING, "steps with inputs {0} run in Java: {1}", kind.described(), reason);
    return new Form.Eager();
  }

  private Form next(Kind kind, Form form, Trace.Traced traced) {
    try {
      return switch (form) {
        case Form.Traced(Translation.Translated first) -> {
          Translation.Translated translated = StepGraph.translation(traced);
          String difference = first.difference(translated);
          yield difference == null
              ? new Form.Compiled(graph(kind, traced, translated))
              : refused(kind, "two steps differ: " + difference);
        }
        case Form.Compiled(StepGraph graph) -> {
          String difference = graph.difference(traced);
          yield difference == null
              ? form
              : refused(
                  kind,
                  "earlier steps in ONNX Runtime may have used old values, since this one differs: "
                      + difference);
        }
        case Form.New _, Form.Eager _ -> new Form.Traced(StepGraph.translation(traced));
      };
    } catch (IllegalStateException | OnnxException e) {
      return refused(kind, String.valueOf(e.getMessage()));
    }
  }

  private StepGraph graph(Kind kind, Trace.Traced traced, Translation.Translated translated) {
    long start = System.nanoTime();
    StepGraph graph = new StepGraph(traced, translated, device.provider());
    LOG.log(
        Level.INFO,
        "compiled a step for inputs {0}: {1} operations, {2} ONNX nodes, in {3} ms",
        kind.described(),
        traced.steps().size(),
        translated.graph().nodes().size(),
        (System.nanoTime() - start) / 1_000_000);
    Set<String> operators = translated.graph().operators();
    LOG.log(Level.DEBUG, "operators of the step: {0}", String.join(" ", operators));
    Set<String> onCpu = CudaKernels.missing(operators);
    if (device.isGpu() && !onCpu.isEmpty()) {
      LOG.log(
          Level.WARNING,
          "nodes of {0} run on the CPU, since ONNX Runtime has no CUDA kernels for them; each step"
              + " copies their inputs and results",
          onCpu);
    }
    return graph;
  }

  /// Copies the state to Java and frees all native memory.
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    for (Form form : Set.copyOf(forms.values())) {
      if (form instanceof Form.Compiled(StepGraph graph)) {
        graph.close();
      }
    }
    forms.clear();
    resident.close();
  }
}
