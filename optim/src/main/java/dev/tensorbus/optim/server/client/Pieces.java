// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.client;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.optim.server.slot.Piece;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/// The [Piece]s into which the parameters of a group are cut, and their slots.
final class Pieces {
  private final SortedMap<Integer, SortedMap<String, Piece>> slots = new TreeMap<>();
  private final Map<String, List<Piece>> byParameter = new HashMap<>();

  /// @param parameters the parameters by name
  Pieces(String group, Map<String, Tensor> parameters) {
    parameters.forEach(
        (name, parameter) -> {
          List<Piece> pieces = Piece.of(name, parameter.shape());
          byParameter.put(name, pieces);
          for (Piece piece : pieces) {
            slots.computeIfAbsent(piece.slot(group), _ -> new TreeMap<>()).put(piece.name(), piece);
          }
        });
  }

  /// Returns the slots that have pieces.
  Set<Integer> slots() {
    return slots.keySet();
  }

  /// Returns the pieces of a slot, in order of their names.
  private SortedMap<String, Piece> pieces(int slot) {
    return slots.getOrDefault(slot, new TreeMap<>());
  }

  /// Returns the values of a slot.
  ///
  /// @param tensors values or gradients by parameter
  SortedMap<String, Tensor> cut(int slot, Map<String, Tensor> tensors) {
    SortedMap<String, Tensor> cut = new TreeMap<>();
    pieces(slot)
        .forEach(
            (name, piece) -> {
              Tensor all = tensors.get(piece.parameter());
              if (all != null) {
                cut.put(name, piece.cut(all));
              }
            });
    return cut;
  }

  /// Returns the names of the parameters that have pieces in a slot.
  List<String> parameters(int slot) {
    return pieces(slot).values().stream().map(Piece::parameter).distinct().toList();
  }

  /// Returns a parameter whose pieces have these values.
  ///
  /// @param values the values by the names of the pieces
  Tensor join(String parameter, Map<String, Tensor> values) {
    List<Piece> pieces = new ArrayList<>(byParameter.getOrDefault(parameter, List.of()));
    pieces.sort(Comparator.comparingInt(Piece::from));
    List<Tensor> parts = pieces.stream().map(piece -> values.get(piece.name())).toList();
    return parts.size() == 1 ? parts.getFirst() : Tensor.concatenate(parts, 0);
  }
}
