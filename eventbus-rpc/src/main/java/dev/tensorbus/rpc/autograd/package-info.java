// SPDX-License-Identifier: Apache-2.0

/// Carries gradients back along calls.
package dev.tensorbus.rpc.autograd;
