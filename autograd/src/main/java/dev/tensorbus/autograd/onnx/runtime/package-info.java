// SPDX-License-Identifier: Apache-2.0

/// Loads ONNX Runtime, and runs sessions through its Java interface.
package dev.tensorbus.autograd.onnx.runtime;
