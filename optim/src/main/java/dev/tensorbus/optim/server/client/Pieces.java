// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.client;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.optim.OptimizerState.Memory;
import dev.tensorbus.optim.server.slot.Piece;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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

  /// Returns the optimizer's state of a slot, in the order of its pieces.
  ///
  /// @param memories the state by parameter
  List<Memory> cutMemories(int slot, Map<String, Memory> memories) {
    List<Memory> cut = new ArrayList<>();
    for (Piece piece : pieces(slot).values()) {
      Memory all = Objects.requireNonNull(memories.get(piece.parameter()), piece::parameter);
      Map<String, Tensor> tensors = new TreeMap<>();
      all.tensors().forEach((name, tensor) -> tensors.put(name, piece.cut(tensor)));
      cut.add(new Memory(all.steps(), tensors));
    }
    return cut;
  }

  /// Returns the optimizer's state of a parameter: as many steps as the piece with most, and the
  /// tensors of its pieces, which are none until all pieces have been updated.
  ///
  /// @param memories the state by the names of the pieces
  Memory joinMemories(String parameter, Map<String, Memory> memories) {
    List<Memory> parts =
        byParameter.getOrDefault(parameter, List.of()).stream()
            .map(piece -> Objects.requireNonNull(memories.get(piece.name()), piece::name))
            .toList();
    if (parts.stream().anyMatch(part -> part.steps() == 0)) {
      return new Memory(0, Map.of());
    }
    Map<String, Tensor> tensors = new TreeMap<>();
    for (String name : parts.getFirst().tensors().keySet()) {
      Map<String, Tensor> byPiece = new HashMap<>();
      memories.forEach(
          (piece, memory) -> {
            Tensor tensor = memory.tensors().get(name);
            if (tensor != null) {
              byPiece.put(piece, tensor);
            }
          });
      tensors.put(name, join(parameter, byPiece));
    }
    long steps = parts.stream().mapToLong(Memory::steps).max().orElseThrow();
    return new Memory(steps, tensors);
  }

  /// Returns the names of all parameters.
  Set<String> parameters() {
    return byParameter.keySet();
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
