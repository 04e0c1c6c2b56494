// SPDX-License-Identifier: Apache-2.0

/// Says layers in ONNX: to files that other programs run, and to ONNX Runtime, which computes
/// their forward passes here, on CPUs and GPUs.
///
/// ONNX Runtime is an optional dependency; only [dev.tensorbus.autograd.onnx.Accelerated] and
/// [dev.tensorbus.autograd.onnx.Device] need it.
package dev.tensorbus.autograd.onnx;
