// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn;

import java.util.Iterator;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/// Layers of one type that another layer is made of, such as the blocks of a transformer; that
/// layer says how to compute with them. After `torch.nn.ModuleList`.
///
/// ```java
/// blocks = child("blocks", LayerList.of(6, i -> new Block(64, random)));
/// ```
///
/// Layers have their number for a name, from 0, as in torch: `blocks.0.linear1.weight`.
///
/// @param <L> the layers' type
public final class LayerList<L extends Layer> extends Layer implements Iterable<L> {
  private final List<L> layers;

  /// Makes a list of these layers.
  public LayerList(List<L> layers) {
    this.layers = List.copyOf(layers);
    for (int i = 0; i < layers.size(); i++) {
      child(Integer.toString(i), layers.get(i));
    }
  }

  /// Makes a list of new layers.
  ///
  /// @param size how many there are
  /// @param layer makes one by its number
  public static <L extends Layer> LayerList<L> of(int size, IntFunction<L> layer) {
    return new LayerList<>(IntStream.range(0, size).mapToObj(layer).toList());
  }

  /// How many layers there are.
  public int size() {
    return layers.size();
  }

  /// One of the layers.
  ///
  /// @param index from 0 to [#size] - 1
  public L get(int index) {
    return layers.get(index);
  }

  /// The layers in their order.
  @Override
  public Iterator<L> iterator() {
    return layers.iterator();
  }
}
