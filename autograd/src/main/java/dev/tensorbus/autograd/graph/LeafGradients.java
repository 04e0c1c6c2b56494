// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.graph;

import dev.tensorbus.autograd.Tensor;
import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/// The accumulated gradients of leaves, stored in the leaves or in a distributed autograd context.
public interface LeafGradients {
  /// The gradients stored in the leaves: [Tensor#grad].
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

  /// Returns the gradient of a leaf, or null if it has none.
  @Nullable Tensor get(Tensor leaf);

  /// Replaces the gradients of the given leaves.
  void replace(IdentityHashMap<Tensor, Tensor> replaced);
}
