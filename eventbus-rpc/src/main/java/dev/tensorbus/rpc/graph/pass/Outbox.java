// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.graph.pass;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.wire.Gradients;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Collects the gradients that a pass has for each peer, so that a step of the sweep sends one
/// message to each.
final class Outbox {
  private Map<String, List<Gradients>> waiting = new LinkedHashMap<>();

  private List<Gradients> to(String peer) {
    return waiting.computeIfAbsent(peer, key -> new ArrayList<>());
  }

  /// Adds an empty message for this peer, which says that the pass has started.
  void start(String peer) {
    to(peer);
  }

  /// Answers a receive function without gradients.
  void none(ReceiveNode node) {
    to(node.peer()).add(new Gradients(node.message(), List.of()));
  }

  /// Answers a receive function with gradients, null where there is none.
  void add(ReceiveNode node, @Nullable Tensor[] gradients) {
    if (Arrays.stream(gradients).allMatch(gradient -> gradient == null)) {
      none(node);
    } else {
      List<@Nullable Tensor> values = new ArrayList<>(Arrays.asList(gradients));
      to(node.peer()).add(new Gradients(node.message(), values));
    }
  }

  /// Removes and returns all messages.
  Map<String, List<Gradients>> take() {
    Map<String, List<Gradients>> taken = waiting;
    waiting = new LinkedHashMap<>();
    return taken;
  }
}
