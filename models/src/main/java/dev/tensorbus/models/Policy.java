// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.models.environment.CartPole;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.Linear;
import dev.tensorbus.nn.dropout.Dropout;
import java.util.random.RandomGenerator;

/// The policy network from PyTorch's RPC tutorial for
/// [CartPole][dev.tensorbus.models.environment.CartPole], with the tutorial's parameter names.
public final class Policy extends Layer {
  private static final int HIDDEN = 128;

  private final Linear affine1;
  private final Dropout dropout;
  private final Linear affine2;

  /// Creates an untrained policy.
  ///
  /// @param random initializes the parameters, and draws the dropout masks in training
  public Policy(RandomGenerator random) {
    affine1 = child("affine1", new Linear(CartPole.STATE_SIZE, HIDDEN, random));
    dropout = child("dropout", new Dropout(0.6f, random));
    affine2 = child("affine2", new Linear(HIDDEN, CartPole.ACTIONS, random));
  }

  /// Returns the scores `[n, 2]` of both actions in states `[n, 4]`. Their softmax gives the
  /// probabilities of the actions; see [dev.tensorbus.distributions.Categorical#ofLogits].
  public Tensor forward(Tensor states) {
    return scores(dropout.forward(affine1.forward(states)));
  }

  /// Like [#forward], but draws the dropout mask from `random`.
  public Tensor forwardWith(RandomGenerator random, Tensor states) {
    return scores(dropout.forwardWith(random, affine1.forward(states)));
  }

  private Tensor scores(Tensor hidden) {
    return affine2.forward(hidden.relu());
  }
}
