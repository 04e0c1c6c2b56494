// SPDX-License-Identifier: Apache-2.0

/// ONNX's operators by name, each as a function of tensors, so that a model that was read can be
/// trained.
package dev.tensorbus.autograd.onnx.operator;
