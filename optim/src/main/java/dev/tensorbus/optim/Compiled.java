// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.graph.Backward;
import dev.tensorbus.autograd.onnx.CompiledStep;
import dev.tensorbus.autograd.onnx.Device;
import dev.tensorbus.nn.Forward;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.loss.Loss;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Runs steps of training, each with its forward pass, derivatives and update, as one graph in ONNX
/// Runtime. Parameters, buffers and optimizer state stay there from step to step, and are copied to
/// Java when they are read. Like `torch.compile` of a training step.
///
/// The first two steps of each kind of batch run in Java and are traced. What cannot be traced
/// stays in Java; a warning gives the reason. Results equal those of the eager step up to rounding.
/// See [CompiledStep].
///
/// The loss must depend only on the batch, the model and random numbers of dropout. Any other
/// number or array in Java, such as a factor that decreases with the steps, keeps the value from
/// the trace: pass it as part of the batch. A later change is noticed, with a warning, only when a
/// step is traced again: the 4th, 8th, 16th and so on.
///
/// Gradients are not clipped; for that, use a [dev.tensorbus.autograd.onnx.CompiledLoss].
///
/// No other thread may change the model or the optimizer during a step. Must be closed to free
/// native memory; the model and the optimizer can be used before and after that.
public final class Compiled implements AutoCloseable {
  private final Layer model;
  private final Function<List<Tensor>, Tensor> loss;
  private final Optimizer optimizer;
  private final CompiledStep step;

  private Compiled(
      Layer model, Function<List<Tensor>, Tensor> loss, Optimizer optimizer, Device device) {
    this.model = model;
    this.loss = loss;
    this.optimizer = optimizer;
    this.step = CompiledStep.of(new Step(), device);
  }

  /// Compiles steps on batches of two tensors, the model's input and the targets of the loss:
  /// `Compiled.of(net, Losses::nllLoss, optimizer, Device.CPU)`.
  ///
  /// @throws dev.tensorbus.autograd.OnnxException if ONNX Runtime is missing or cannot use the
  ///     device
  public static <M extends Layer & Forward> Compiled of(
      M model, Loss loss, Optimizer optimizer, Device device) {
    return ofAll(
        model, batch -> loss.forward(model.forward(batch.get(0)), batch.get(1)), optimizer, device);
  }

  /// Compiles steps on batches of any tensors.
  ///
  /// @param loss returns the loss of a batch, as a scalar
  /// @throws IllegalArgumentException if the optimizer updates a parameter that is not in the model
  /// @throws dev.tensorbus.autograd.OnnxException if ONNX Runtime is missing or cannot use the
  ///     device
  public static Compiled ofAll(
      Layer model, Function<List<Tensor>, Tensor> loss, Optimizer optimizer, Device device) {
    Collection<Tensor> ofModel = model.namedParameters().values();
    for (Tensor parameter : optimizer.parameters()) {
      if (!ofModel.contains(parameter)) {
        throw new IllegalArgumentException(
            "compiled: the optimizer updates a parameter %s that is not in the model"
                .formatted(parameter.shape()));
      }
    }
    return new Compiled(model, loss, optimizer, device);
  }

  /// Updates the model with the gradients of a batch's loss.
  ///
  /// @return the loss before the update
  /// @throws NonFiniteGradientException if a gradient is not finite and the optimizer does not skip
  ///     such steps; in that case nothing is changed
  public synchronized Tensor step(Tensor... batch) {
    TensorUpdates updates = TensorUpdates.of(optimizer);
    List<Tensor> inputs = new ArrayList<>(Arrays.asList(batch));
    inputs.addAll(updates.numbers());
    return step.run(inputs).getFirst();
  }

  /// Copies all values to Java and frees native memory.
  @Override
  public void close() {
    step.close();
  }

  private final class Step implements CompiledStep.Definition {
    @Override
    public Map<String, Tensor> state() {
      Map<String, Tensor> state = new LinkedHashMap<>(model.namedParameters());
      state.putAll(model.namedBuffers());
      Map<Tensor, String> names = new HashMap<>();
      model.namedParameters().forEach((name, parameter) -> names.put(parameter, name));
      optimizer.forEachLearned(
          (spec, of) ->
              of.memory(spec)
                  .forEach(
                      (kind, tensor) -> state.put(kind + "/" + names.get(of.parameter()), tensor)));
      return state;
    }

    @Override
    public Object mode() {
      return List.of(CompiledStep.modes(model), TensorUpdates.of(optimizer).operations());
    }

    @Override
    public List<Tensor> traced(List<Tensor> inputs) {
      TensorUpdates updates = TensorUpdates.of(optimizer);
      int size = inputs.size() - updates.numbers().size();
      Tensor value = loss.apply(inputs.subList(0, size));
      List<Tensor> parameters = updates.parameters();
      List<@Nullable Tensor> gradients =
          Backward.from(value).createGraph().gradientsOf(parameters.toArray(Tensor[]::new));
      updates.run(gradients, inputs.subList(size, inputs.size()));
      return List.of(value, zeroIfFinite(value, gradients));
    }

    private static Tensor zeroIfFinite(Tensor loss, List<@Nullable Tensor> gradients) {
      Tensor sum = Tensor.full(Shape.SCALAR, loss.dtype(), 0);
      for (Tensor gradient : gradients) {
        sum = gradient == null ? sum : sum.add(gradient.detach().scale(0).sum());
      }
      return sum;
    }

    @Override
    public boolean isValid(List<Tensor> results) {
      return results.get(1).itemDouble() == 0;
    }

    @Override
    public List<Tensor> eager(List<Tensor> inputs) {
      TensorUpdates updates = TensorUpdates.of(optimizer);
      Tensor value = loss.apply(inputs.subList(0, inputs.size() - updates.numbers().size()));
      List<Tensor> parameters = updates.parameters();
      List<@Nullable Tensor> gradients =
          Backward.from(value).gradientsOf(parameters.toArray(Tensor[]::new));
      Map<Tensor, @Nullable Tensor> byParameter = new HashMap<>();
      for (int i = 0; i < parameters.size(); i++) {
        byParameter.put(parameters.get(i), gradients.get(i));
      }
      optimizer.step(byParameter::get);
      return List.of(value.detach());
    }

    @Override
    public void replaced(Collection<String> names) {
      Map<String, Tensor> parameters = model.namedParameters();
      List<Tensor> changed = new ArrayList<>();
      names.forEach(name -> changed.add(parameters.get(name)));
      optimizer.forEachLearned(
          (_, of) -> {
            if (changed.contains(of.parameter())) {
              of.countStep();
            }
          });
    }
  }
}
