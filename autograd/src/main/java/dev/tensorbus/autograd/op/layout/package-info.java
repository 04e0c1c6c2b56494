// SPDX-License-Identifier: Apache-2.0

/// Operations that select, rearrange and join values: shapes, slices, indices.
package dev.tensorbus.autograd.op.layout;
