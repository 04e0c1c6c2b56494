// SPDX-License-Identifier: Apache-2.0

/// Models of ONNX, and computations in ONNX Runtime on CPUs and GPUs: what users see.
///
/// [dev.tensorbus.autograd.onnx.OnnxExport] and [dev.tensorbus.autograd.onnx.OnnxModel] write and
/// read models. ONNX Runtime is an optional dependency, which the other classes need.
package dev.tensorbus.autograd.onnx;
