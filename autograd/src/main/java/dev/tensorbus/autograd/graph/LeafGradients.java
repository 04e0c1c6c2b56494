// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.graph;

import dev.tensorbus.autograd.Tensor;
import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/// The gradients that passes have left, wherever that is.
public interface LeafGradients {
  /// Those that leaves hold themselves.
  LeafGradients OWN =
      new LeafGradients() {
        @Override
        public @Nullable Tensor get(Tensor leaf) {
          return leaf.grad();
        }

        @Override
        public void replace(IdentityHashMap<Tensor, Tensor> replaced) {
          replaced.forEach(Tensor::setGrad);
        }
      };

  /// The gradient of this leaf, or null.
  @Nullable Tensor get(Tensor leaf);

  /// Puts others in the place of these leaves' gradients.
  void replace(IdentityHashMap<Tensor, Tensor> replaced);
}
