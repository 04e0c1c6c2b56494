// SPDX-License-Identifier: Apache-2.0

/// Tensors in files that PyTorch and others open as well: the safetensors format.
package dev.tensorbus.nn.safetensors;
