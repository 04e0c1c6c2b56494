// SPDX-License-Identifier: Apache-2.0

/// What a user of tensors sees: values, the graph of what was computed from them, and its
/// gradients.
package dev.tensorbus.autograd;
