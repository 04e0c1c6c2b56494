// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training;

import dev.tensorbus.autograd.NoGrad;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Layer;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/// Maintains the exponential moving average of a model's parameters, which often predicts better
/// than the parameters themselves (Polyak and Juditsky, "Acceleration of Stochastic Approximation
/// by Averaging", 1992). Like `torch.optim.swa_utils.AveragedModel` with `get_ema_multi_avg_fn`.
///
/// ```java
/// var average = new AveragedModel<>(net, new Net(random), 0.999);
/// trainer.withAverage(average);
/// Tensor scores = Evaluation.call(() -> average.layer().forward(images));
/// ```
///
/// @param <L> the model's type
public final class AveragedModel<L extends Layer> implements TrainerListener {
  private final L model;
  private final L average;
  private final double decay;

  /// Creates an average that starts with the model's current parameters.
  ///
  /// @param model the model being trained
  /// @param average a separate layer of the same structure, whose parameters become the averages
  /// @param decay the weight of the old average in each step, such as 0.999
  /// @throws IllegalArgumentException if the layers differ, or `decay` is not in `[0, 1]`
  public AveragedModel(L model, L average, double decay) {
    if (!(decay >= 0 && decay <= 1)) {
      throw new IllegalArgumentException("averaged model: decay " + decay + " is not in [0, 1]");
    }
    average.load(model.state());
    this.model = model;
    this.average = average;
    this.decay = decay;
  }

  /// Returns the layer with the averaged parameters.
  public L layer() {
    return average;
  }

  /// Updates the averages with the model's current parameters, and copies its buffers. Call it
  /// after each step.
  ///
  /// @throws IllegalStateException if parameters were added to the model
  public void update() {
    // Match by name: a parameter may be tied (have several names) in only one of the two layers.
    Map<String, Tensor> present = model.state().tensors();
    Map<String, Tensor> parameters = average.namedParameters();
    Map<String, Tensor> buffers = average.namedBuffers();
    requireSame(present.keySet(), average.state().tensors().keySet());
    parameters.forEach((name, mean) -> mean.replace(old -> mean(old, get(present, name))));
    buffers.forEach((name, buffer) -> buffer.replace(_ -> get(present, name)));
  }

  private static void requireSame(Set<String> present, Set<String> averaged) {
    if (!present.equals(averaged)) {
      throw new IllegalStateException(
          "averaged model: the model has %s, but the average has %s; create the average after"
                  .formatted(new TreeSet<>(present), new TreeSet<>(averaged))
              + " adding all parameters");
    }
  }

  private Tensor mean(Tensor old, Tensor present) {
    return NoGrad.call(() -> old.scale(decay).add(present.scale(1 - decay)));
  }

  private static Tensor get(Map<String, Tensor> tensors, String name) {
    return Objects.requireNonNull(tensors.get(name), name);
  }

  @Override
  public void onStep(long step, double loss) {
    update();
  }
}
