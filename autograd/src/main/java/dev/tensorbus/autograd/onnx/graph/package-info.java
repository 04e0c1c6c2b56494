// SPDX-License-Identifier: Apache-2.0

/// An ONNX model in memory, and how it becomes bytes: protocol buffers, written by hand.
package dev.tensorbus.autograd.onnx.graph;
