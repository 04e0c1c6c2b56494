// SPDX-License-Identifier: Apache-2.0

/// Tensors: values with a shape and a type. Their methods are the operations; `graph` records them
/// and computes gradients.
package dev.tensorbus.autograd;
