// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training;

import dev.tensorbus.autograd.NoGrad;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Layer;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/// Keeps the exponential moving average of a model's parameters, which often predicts better than
/// the parameters themselves (Polyak and Juditsky, "Acceleration of Stochastic Approximation by
/// Averaging", 1992). After `torch.optim.swa_utils.AveragedModel` with `get_ema_multi_avg_fn`.
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

  /// Begins with the model's present parameters.
  ///
  /// @param model that is trained
  /// @param average another layer of the same kind, whose parameters become the averages
  /// @param decay the share of the average that each step keeps, such as 0.999
  /// @throws IllegalArgumentException if the layers differ, or the share is not in `[0, 1]`
  public AveragedModel(L model, L average, double decay) {
    if (!(decay >= 0 && decay <= 1)) {
      throw new IllegalArgumentException("averaged model: decay " + decay + " is not in [0, 1]");
    }
    average.load(model.state());
    this.model = model;
    this.average = average;
    this.decay = decay;
  }

  /// The layer whose parameters are the averages.
  public L layer() {
    return average;
  }

  /// Takes the model's present parameters into the averages, and its buffers as they are. Call it
  /// after each step.
  ///
  /// @throws IllegalStateException if the model got further parameters
  public void update() {
    // Under all their names: a parameter may be tied in one of the two layers only.
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
          "averaged model: the model has %s, the average %s; make it after the last was added"
              .formatted(new TreeSet<>(present), new TreeSet<>(averaged)));
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
