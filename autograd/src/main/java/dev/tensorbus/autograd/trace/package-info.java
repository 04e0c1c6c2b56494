// SPDX-License-Identifier: Apache-2.0

/// Records the steps of a computation, each with its ONNX nodes as data, so that another engine can
/// repeat it.
package dev.tensorbus.autograd.trace;
