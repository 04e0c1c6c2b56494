// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.trace;

import dev.tensorbus.autograd.graph.Edge;
import dev.tensorbus.autograd.graph.Node;
import java.util.List;

/// A step with a derivative that can be recorded from values that another engine computed.
public interface Differentiable extends Traceable {
  /// Creates the graph node for the backward pass. Requests only the values that the derivative
  /// saves.
  ///
  /// @param inputs where each input's gradient goes
  Node node(Application application, List<Edge> inputs);
}
