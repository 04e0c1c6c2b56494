// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn;

import dev.tensorbus.autograd.NoGrad;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import java.util.random.RandomGenerator;

/// Adapts a frozen linear layer by the product of two small matrices, which are learned: `x ·
/// weightᵀ + bias + alpha / rank * x · lora_Aᵀ · lora_Bᵀ`. Hu et al., "LoRA: Low-Rank Adaptation of
/// Large Language Models" (2021). Parameters have peft's names.
public final class Lora extends Layer implements Forward {
  private final Linear base;
  private final Tensor a;
  private final Tensor b;
  private final double scale;

  private Lora(Linear linear, int rank, double alpha, RandomGenerator random) {
    if (rank < 1) {
      throw new IllegalArgumentException("Lora: rank " + rank + "; expected at least 1");
    }
    base = child("base_layer", linear);
    base.requiresGrad(false);
    Shape weight = base.weight().shape();
    Shape down = Shape.of(rank, weight.size(1));
    Shape up = Shape.of(weight.size(0), rank);
    a = parameter("lora_A", down, Initializers.uniform(down.elements(), weight.size(1), random));
    b = parameter("lora_B", up, new float[up.elements()]);
    scale = alpha / rank;
  }

  /// Freezes a layer and returns an adapted one, which computes the same until it has learned:
  /// `lora_A` is random, and `lora_B` is zero.
  ///
  /// @param rank the number of rows of `lora_A` and of columns of `lora_B`
  /// @param alpha the weight of the adaptation, divided by the rank
  /// @throws IllegalArgumentException if the rank is not positive
  public static Lora of(Linear linear, int rank, double alpha, RandomGenerator random) {
    return new Lora(linear, rank, alpha, random);
  }

  /// Computes `[…, outputs]` from `[…, inputs]`.
  ///
  /// @throws ShapeException if the shape is incompatible with this layer
  @Override
  public Tensor forward(Tensor x) {
    Tensor adaptation = x.matmul(a.transpose(0, 1)).matmul(b.transpose(0, 1));
    return base.forward(x).add(adaptation.scale(scale));
  }

  /// Adds the adaptation to the weight of the frozen layer, which then computes what this layer
  /// did, and returns that layer. This layer starts anew, with a `lora_B` of zeros. Call it while
  /// no other threads compute with either layer. Like peft's `merge_and_unload`.
  public Linear merge() {
    Tensor change = NoGrad.call(() -> b.matmul(a).scale(scale));
    base.weight().replace(old -> NoGrad.call(() -> old.add(change)));
    b.replace(old -> Tensor.full(old.shape(), old.dtype(), 0));
    return base;
  }
}
