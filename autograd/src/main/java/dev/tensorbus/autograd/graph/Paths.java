// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.graph;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/// Finds the functions on the paths from the roots of a graph to given outputs of functions.
final class Paths {
  private Paths() {}

  /// Returns the functions through which gradients flow from the roots to these outputs, including
  /// the functions that computed the outputs.
  static Set<Node> leading(Collection<? extends Node> roots, Collection<Edge> outputs) {
    IdentityHashMap<Node, List<Node>> users = users(roots);
    Set<Node> leading = Collections.newSetFromMap(new IdentityHashMap<>());
    ArrayDeque<Node> unvisited = new ArrayDeque<>();
    for (Edge output : outputs) {
      if (output.node() != null && users.containsKey(output.node())) {
        unvisited.push(output.node());
      }
    }
    while (!unvisited.isEmpty()) {
      Node node = unvisited.pop();
      if (leading.add(node)) {
        unvisited.addAll(users.getOrDefault(node, List.of()));
      }
    }
    return leading;
  }

  /// Returns a map from each function that the roots depend on to the functions that use its
  /// results.
  private static IdentityHashMap<Node, List<Node>> users(Collection<? extends Node> roots) {
    IdentityHashMap<Node, List<Node>> users = new IdentityHashMap<>();
    ArrayDeque<Node> unvisited = new ArrayDeque<>();
    for (Node root : roots) {
      if (users.putIfAbsent(root, new ArrayList<>()) == null) {
        unvisited.push(root);
      }
    }
    while (!unvisited.isEmpty()) {
      Node node = unvisited.pop();
      for (Edge edge : node.inputs()) {
        Node next = edge.node();
        if (next != null) {
          List<Node> known = users.get(next);
          if (known == null) {
            known = new ArrayList<>();
            users.put(next, known);
            unvisited.push(next);
          }
          known.add(node);
        }
      }
    }
    return users;
  }
}
