// SPDX-License-Identifier: Apache-2.0

/// An ONNX model in memory, its creation from a trace, and its encoding as protocol buffers.
package dev.tensorbus.autograd.onnx.graph;
