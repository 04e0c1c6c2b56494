// SPDX-License-Identifier: Apache-2.0

/// Forward passes that ONNX Runtime computes and whose derivatives Java computes.
package dev.tensorbus.autograd.onnx.forward;
