// SPDX-License-Identifier: Apache-2.0

/// Tensors that stay in the memory of a device, and sessions that read and write them, through ONNX
/// Runtime's C interface.
package dev.tensorbus.autograd.onnx.memory;
