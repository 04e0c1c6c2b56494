// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.trace;

import java.util.List;

/// One application of an ONNX operator. Nodes are distinguished by identity, not by `equals`.
///
/// @param results the number of results
public record OnnxNode(OnnxOperator operator, List<OnnxValue> inputs, int results) {}
