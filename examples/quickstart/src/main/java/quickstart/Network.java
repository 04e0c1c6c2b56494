// SPDX-License-Identifier: Apache-2.0
package quickstart;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.Linear;
import java.util.Random;

/// A network that classifies handwritten digits.
public final class Network extends Layer {
  private final Random random = new Random(1);
  private final Linear hidden = child("hidden", new Linear(784, 64, random));
  private final Linear scores = child("scores", new Linear(64, 10, random));

  /// Returns the scores `[n, 10]` of images `[n, 1, 28, 28]`.
  public Tensor forward(Tensor images) {
    return scores.forward(hidden.forward(images.flatten(1)).relu());
  }
}
