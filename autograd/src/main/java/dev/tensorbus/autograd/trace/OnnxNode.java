// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.trace;

import java.util.List;

/// One use of an ONNX operator. Two uses are the same only if they are one object.
///
/// @param results how many results it has
public record OnnxNode(OnnxOperator operator, List<OnnxValue> inputs, int results) {}
