// SPDX-License-Identifier: Apache-2.0

/// Distributed autograd: computes gradients across remote calls.
package dev.tensorbus.rpc.autograd;
