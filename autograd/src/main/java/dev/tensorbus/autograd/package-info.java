// SPDX-License-Identifier: Apache-2.0

/// Tensors: values with a shape and a type. Their methods are the operations; `graph` records these
/// and takes gradients back.
package dev.tensorbus.autograd;
