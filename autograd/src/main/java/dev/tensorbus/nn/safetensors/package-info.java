// SPDX-License-Identifier: Apache-2.0

/// Tensor files in the safetensors format, which PyTorch and other frameworks also read and write.
package dev.tensorbus.nn.safetensors;
