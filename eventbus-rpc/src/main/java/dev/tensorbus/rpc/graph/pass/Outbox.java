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

/// Collects gradients by peer, so that each step of a sweep sends at most one message to a peer.
final class Outbox {
  private Map<String, List<Gradients>> waiting = new LinkedHashMap<>();

  private List<Gradients> to(String peer) {
    return waiting.computeIfAbsent(peer, key -> new ArrayList<>());
  }

  /// Ensures that a message, possibly empty, is sent to this peer, so that the peer starts the
  /// pass.
  void start(String peer) {
    to(peer);
  }

  /// Answers *none* for a receive function: no loss depends on its tensors.
  void none(ReceiveNode node) {
    to(node.peer()).add(new Gradients(node.message(), List.of()));
  }

  /// Answers a receive function with its gradients, or with *none* if all of them are null.
  void add(ReceiveNode node, @Nullable Tensor[] gradients) {
    if (Arrays.stream(gradients).allMatch(gradient -> gradient == null)) {
      none(node);
    } else {
      List<@Nullable Tensor> values = new ArrayList<>(Arrays.asList(gradients));
      to(node.peer()).add(new Gradients(node.message(), values));
    }
  }

  /// Removes and returns all messages, by peer.
  Map<String, List<Gradients>> take() {
    Map<String, List<Gradients>> taken = waiting;
    waiting = new LinkedHashMap<>();
    return taken;
  }
}
