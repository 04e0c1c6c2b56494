// SPDX-License-Identifier: Apache-2.0

/// The inputs of the attention kernels: tensor sizes, mask and dropout.
package dev.tensorbus.autograd.kernel.attention;
