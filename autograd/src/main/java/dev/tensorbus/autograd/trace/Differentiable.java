// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.trace;

import dev.tensorbus.autograd.graph.Edge;
import dev.tensorbus.autograd.graph.Node;
import java.util.List;

/// An operation whose derivative can be recorded from values that another engine computed.
public interface Differentiable extends Traceable {
  /// Creates the graph node for the backward pass. Must request only the values that the derivative
  /// saves.
  ///
  /// @param inputs the destination of each input's gradient
  Node node(Application application, List<Edge> inputs);
}
