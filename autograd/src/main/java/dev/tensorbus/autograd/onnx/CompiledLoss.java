// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.graph.Backward;
import dev.tensorbus.autograd.graph.Edge;
import dev.tensorbus.autograd.graph.Node;
import dev.tensorbus.nn.Forward;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.loss.Loss;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Computes a loss together with its gradients, as one graph in ONNX Runtime. `loss.backward()`
/// then only passes them on. For training whose update happens elsewhere, such as on a parameter
/// server; see [CompiledStep] for what is compiled and when.
///
/// Gradients are those of the layer's parameters and of the inputs that require one. The loss must
/// depend only on the inputs, the layer and random numbers of dropout: other numbers in Java keep
/// the values from the trace.
///
/// Thread-safe: losses are computed one at a time. Must be closed to free native memory.
public final class CompiledLoss implements AutoCloseable {
  /// The shape of the gradient of a tensor on which the loss does not depend.
  private static final Shape ABSENT = Shape.of(0);

  private final Layer layer;
  private final Function<List<Tensor>, Tensor> loss;
  private final CompiledStep step;

  private CompiledLoss(Layer layer, Function<List<Tensor>, Tensor> loss, Device device) {
    this.layer = layer;
    this.loss = loss;
    this.step = CompiledStep.of(new Step(), device);
  }

  /// Compiles a loss of a model's result and its targets: `CompiledLoss.of(net, Losses::nllLoss,
  /// Device.CPU)`.
  ///
  /// @throws dev.tensorbus.autograd.OnnxException if ONNX Runtime is missing or cannot use the
  ///     device
  public static <M extends Layer & Forward> CompiledLoss of(M model, Loss loss, Device device) {
    return ofAll(model, batch -> loss.forward(model.forward(batch.get(0)), batch.get(1)), device);
  }

  /// Compiles a function of any tensors that returns a loss, as a scalar.
  ///
  /// @throws dev.tensorbus.autograd.OnnxException if ONNX Runtime is missing or cannot use the
  ///     device
  public static CompiledLoss ofAll(
      Layer layer, Function<List<Tensor>, Tensor> loss, Device device) {
    return new CompiledLoss(layer, loss, device);
  }

  /// Returns the loss of a batch, whose backward pass has already been computed.
  public Tensor forward(Tensor... batch) {
    List<Tensor> inputs = Arrays.asList(batch);
    List<Edge> edges = wanted(inputs).map(Tensor::gradientEdge).toList();
    List<Tensor> results = step.run(inputs);
    return results.size() == 1
        ? results.getFirst()
        : Tensor.recorded(
            results.getFirst(),
            new Edge(new Gradients(edges, results.subList(1, results.size())), 0));
  }

  private Stream<Tensor> wanted(List<Tensor> inputs) {
    return Stream.concat(layer.parameters().stream(), inputs.stream()).filter(Tensor::requiresGrad);
  }

  /// Frees all native memory. Losses remain valid.
  @Override
  public void close() {
    step.close();
  }

  /// Passes on gradients that were computed with the loss.
  private static final class Gradients extends Node {
    private final List<Tensor> gradients;

    Gradients(List<Edge> edges, List<Tensor> gradients) {
      super(1, edges);
      this.gradients = gradients;
    }

    @Override
    protected @Nullable Tensor[] backward(@Nullable Tensor[] ofLoss, boolean[] needed) {
      Tensor factor = ofLoss[0];
      @Nullable Tensor[] scaled = new Tensor[needed.length];
      for (int i = 0; i < needed.length && factor != null; i++) {
        Tensor gradient = gradients.get(i);
        boolean isPresent = !gradient.shape().equals(ABSENT);
        scaled[i] = needed[i] && isPresent ? gradient.mul(factor) : null;
      }
      return scaled;
    }

    @Override
    protected boolean isUserCode() {
      return false;
    }

    @Override
    public String toString() {
      return "compiledLoss";
    }
  }

  private final class Step implements CompiledStep.Definition {
    @Override
    public Map<String, Tensor> state() {
      Map<String, Tensor> state = new LinkedHashMap<>(layer.namedParameters());
      state.putAll(layer.namedBuffers());
      return state;
    }

    @Override
    public Object mode() {
      return CompiledStep.modes(layer);
    }

    /// Returns the loss, followed by a gradient for each tensor that wants one, which is empty if
    /// the loss does not depend on the tensor.
    @Override
    public List<Tensor> traced(List<Tensor> inputs) {
      Tensor value = loss.apply(inputs);
      if (!value.requiresGrad()) {
        return List.of(value);
      }
      List<Tensor> wanted = wanted(inputs).toList();
      List<@Nullable Tensor> gradients =
          Backward.from(value).createGraph().gradientsOf(wanted.toArray(Tensor[]::new));
      List<Tensor> results = new ArrayList<>(List.of(value));
      for (int i = 0; i < gradients.size(); i++) {
        Tensor gradient = gradients.get(i);
        Tensor like = wanted.get(i);
        results.add(gradient == null ? Tensor.full(ABSENT, like.dtype(), 0) : gradient);
      }
      return results;
    }

    @Override
    public List<Tensor> eager(List<Tensor> inputs) {
      return List.of(loss.apply(inputs));
    }

    @Override
    public boolean isValid(List<Tensor> results) {
      return true;
    }

    @Override
    public void replaced(Collection<String> names) {}
  }
}
