// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.trace;

import java.util.List;

/// One use of an ONNX operator, compared by identity.
///
/// @param results the number of results
public record OnnxNode(OnnxOperator operator, List<OnnxValue> inputs, int results) {}
