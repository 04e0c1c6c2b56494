// SPDX-License-Identifier: Apache-2.0

/// Recurrent networks: one operation runs a layer in one direction over a whole sequence.
package dev.tensorbus.autograd.op.recurrent;
