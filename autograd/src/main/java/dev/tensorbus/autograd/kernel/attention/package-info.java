// SPDX-License-Identifier: Apache-2.0

/// The arithmetic of attention: its inputs, their sizes, and the layout of mask and dropout.
package dev.tensorbus.autograd.kernel.attention;
