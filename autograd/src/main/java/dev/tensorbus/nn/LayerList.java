// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn;

import java.util.Iterator;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/// A list of layers of one type, such as the blocks of a transformer. The layer that contains the
/// list defines how to compute with them. Like `torch.nn.ModuleList`.
///
/// ```java
/// blocks = child("blocks", LayerList.of(6, i -> new Block(64, random)));
/// ```
///
/// Layers are named by their index, as in torch: `blocks.0.linear1.weight`.
///
/// @param <L> the type of the layers
public final class LayerList<L extends Layer> extends Layer implements Iterable<L> {
  private final List<L> layers;

  /// Creates a list of the given layers.
  public LayerList(List<L> layers) {
    this.layers = List.copyOf(layers);
    for (int i = 0; i < layers.size(); i++) {
      child(Integer.toString(i), layers.get(i));
    }
  }

  /// Creates a list of new layers.
  ///
  /// @param size the number of layers
  /// @param layer the function that creates the layer at an index
  public static <L extends Layer> LayerList<L> of(int size, IntFunction<L> layer) {
    return new LayerList<>(IntStream.range(0, size).mapToObj(layer).toList());
  }

  /// Returns the number of layers.
  public int size() {
    return layers.size();
  }

  /// Returns the layer at an index.
  ///
  /// @param index from 0 to [#size] - 1
  public L get(int index) {
    return layers.get(index);
  }

  /// Returns the layers in order.
  @Override
  public Iterator<L> iterator() {
    return layers.iterator();
  }
}
