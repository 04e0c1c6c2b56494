// SPDX-License-Identifier: Apache-2.0

/// Random numbers that follow from a seed and their place alone, the same on every machine.
package dev.tensorbus.autograd.kernel.random;
