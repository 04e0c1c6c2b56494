// SPDX-License-Identifier: Apache-2.0

/// Operations along axes: cumulative sums, cumulative products and norms.
package dev.tensorbus.autograd.op.axis;
