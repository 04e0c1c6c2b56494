// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.graph;

import org.jspecify.annotations.Nullable;

/// Points at one output of a recorded function: where a tensor came from and its gradient goes.
///
/// @param node the function, or null for a value whose gradient is not wanted
/// @param output which of its results
public record Edge(@Nullable Node node, int output) {
  /// Leads nowhere: the value needs no gradient.
  public static final Edge NONE = new Edge(null, 0);
}
