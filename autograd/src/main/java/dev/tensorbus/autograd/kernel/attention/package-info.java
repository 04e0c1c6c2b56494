// SPDX-License-Identifier: Apache-2.0

/// The arithmetic of attention: its inputs, their sizes, and how a mask and dropout are read.
package dev.tensorbus.autograd.kernel.attention;
