// SPDX-License-Identifier: Apache-2.0

/// Exports layers as ONNX models, and runs their forward passes in ONNX Runtime, on CPUs and GPUs.
///
/// ONNX Runtime is an optional dependency; only [dev.tensorbus.autograd.onnx.Accelerated] and
/// [dev.tensorbus.autograd.onnx.Device] need it.
package dev.tensorbus.autograd.onnx;
