// SPDX-License-Identifier: Apache-2.0

/// Carries gradients back along calls: distributed autograd.
package dev.tensorbus.rpc.autograd;
