// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.slot;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import java.util.List;
import java.util.stream.IntStream;

/// Some rows of a parameter, or all of it. Large parameters are cut into pieces, so that several
/// servers share them.
///
/// @param name differs between the pieces of a group
/// @param parameter the name of the parameter
/// @param from the first row
/// @param to the row after the last
/// @param isWhole whether it is the whole parameter
public record Piece(String name, String parameter, int from, int to, boolean isWhole) {
  /// The number of values of a piece, about.
  private static final int SIZE = 1 << 16;

  /// Cuts a parameter into pieces.
  public static List<Piece> of(String parameter, Shape shape) {
    if (shape.rank() == 0 || shape.numel() <= SIZE || shape.size(0) == 1) {
      return List.of(new Piece(parameter, parameter, 0, 1, true));
    }
    int all = shape.size(0);
    int rows = Math.max(1, (int) (SIZE / (shape.numel() / all)));
    int count = (all + rows - 1) / rows;
    return IntStream.range(0, count)
        .mapToObj(
            i ->
                new Piece(
                    "%s[%d]".formatted(parameter, i * rows),
                    parameter,
                    i * rows,
                    Math.min(all, (i + 1) * rows),
                    false))
        .toList();
  }

  /// Returns the slot of this piece.
  public int slot(String group) {
    return SlotMap.slotOf(group + "/" + name);
  }

  /// Returns this piece of the parameter's values or gradient.
  public Tensor cut(Tensor all) {
    return isWhole ? all.detach() : all.detach().slice(0, from, to);
  }
}
