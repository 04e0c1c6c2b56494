// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.graph;

import org.jspecify.annotations.Nullable;

/// An output of a recorded function: the origin of a tensor and the destination of its gradient.
///
/// @param node the function, or null for a value that requires no gradient
/// @param output the index of the output
public record Edge(@Nullable Node node, int output) {
  /// The edge of a value that requires no gradient.
  public static final Edge NONE = new Edge(null, 0);
}
