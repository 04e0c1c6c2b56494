// SPDX-License-Identifier: Apache-2.0

/// Tensor files in the safetensors format, which PyTorch and others read and write as well.
package dev.tensorbus.nn.safetensors;
