// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.trace;

import dev.tensorbus.autograd.graph.Edge;
import dev.tensorbus.autograd.graph.Node;
import java.util.List;

/// A step with a derivative, which can be recorded from values that another engine computed.
public interface Differentiable extends Traceable {
  /// Makes the function that takes gradients back. Asks for those values only that the derivative
  /// keeps.
  ///
  /// @param inputs where each input's gradient goes
  Node node(Application application, List<Edge> inputs);
}
