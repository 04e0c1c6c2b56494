// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.scalar;

import dev.tensorbus.autograd.kernel.shape.ConvolutionShape;

/// The terms of a convolution: each is the product of an image value and a filter weight, and is
/// added to one result. The convolution and both of its gradients are sums over these terms.
record ConvolutionTerms(ConvolutionShape shape) {
  /// Receives the offsets of one term in the results, the images and the weights.
  @FunctionalInterface
  interface Action {
    void accept(int y, int x, int weight);
  }

  /// Visits the terms result by result. There are no terms for padding, whose values are zero.
  void forEach(Action action) {
    int y = 0;
    for (int image = 0; image < shape.batch(); image++) {
      for (int filter = 0; filter < shape.filters(); filter++) {
        for (int row = 0; row < shape.outputHeight(); row++) {
          for (int column = 0; column < shape.outputWidth(); column++) {
            forEachOf(y++, image, filter, row, column, action);
          }
        }
      }
    }
  }

  private void forEachOf(int y, int image, int filter, int row, int column, Action action) {
    int plane = shape.imageStart(image, filter / shape.groupFilters());
    int weight = filter * shape.filterSize();
    for (int channel = 0; channel < shape.groupChannels(); channel++) {
      for (int u = 0; u < shape.rows().kernel(); u++) {
        int i = shape.rows().position(row, u);
        for (int v = 0; v < shape.columns().kernel(); v++, weight++) {
          int j = shape.columns().position(column, v);
          if (shape.rows().contains(i) && shape.columns().contains(j)) {
            action.accept(y, plane + i * shape.width() + j, weight);
          }
        }
      }
      plane += shape.pixels();
    }
  }
}
