// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Forward;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.Linear;
import dev.tensorbus.nn.convolution.Conv2d;
import dev.tensorbus.nn.dropout.Dropout;
import dev.tensorbus.nn.dropout.Dropout2d;
import java.util.random.RandomGenerator;

/// The digit classifier from PyTorch's parameter-server tutorial: a convolutional network with 1.2
/// million parameters, named as in the tutorial.
public final class MnistNet extends Layer implements Forward {
  private final Conv2d conv1;
  private final Conv2d conv2;
  private final Dropout2d dropout1;
  private final Dropout dropout2;
  private final Linear fc1;
  private final Linear fc2;

  /// Creates an untrained network.
  ///
  /// @param random initializes the parameters, and draws the dropout masks in training
  public MnistNet(RandomGenerator random) {
    conv1 = child("conv1", new Conv2d(1, 32, 3, random));
    conv2 = child("conv2", new Conv2d(32, 64, 3, random));
    dropout1 = child("dropout1", new Dropout2d(0.25f, random));
    dropout2 = child("dropout2", new Dropout(0.5f, random));
    fc1 = child("fc1", new Linear(9216, 128, random));
    fc2 = child("fc2", new Linear(128, 10, random));
  }

  /// Returns the log-probabilities `[n, 10]` of the digits for images `[n, 1, 28, 28]`.
  @Override
  public Tensor forward(Tensor images) {
    return classify(features(images));
  }

  /// Runs the first half of the network, the convolutions. Returns features `[n, 9216]`.
  public Tensor features(Tensor images) {
    Tensor features = conv2.forward(conv1.forward(images).relu()).maxPool2d(2);
    return dropout1.forward(features).flatten(1);
  }

  /// Runs the second half of the network. Returns the log-probabilities for the features.
  public Tensor classify(Tensor features) {
    Tensor hidden = fc1.forward(features).relu();
    return fc2.forward(dropout2.forward(hidden)).logSoftmax(1);
  }
}
