// SPDX-License-Identifier: Apache-2.0

/// Random numbers that depend only on a seed and an index and are equal on every machine.
package dev.tensorbus.autograd.kernel.random;
