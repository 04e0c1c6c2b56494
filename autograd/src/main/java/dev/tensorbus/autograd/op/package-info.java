// SPDX-License-Identifier: Apache-2.0

/// The differentiable operations, each with its derivative beside it.
package dev.tensorbus.autograd.op;
