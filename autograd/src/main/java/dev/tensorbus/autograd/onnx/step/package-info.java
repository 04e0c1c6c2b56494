// SPDX-License-Identifier: Apache-2.0

/// The graph of a step of training, and the state that it keeps in the memory of a device.
package dev.tensorbus.autograd.onnx.step;
