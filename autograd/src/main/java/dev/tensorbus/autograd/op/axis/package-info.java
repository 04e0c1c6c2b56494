// SPDX-License-Identifier: Apache-2.0

/// Operations along axes: cumulative sums and products, norms.
package dev.tensorbus.autograd.op.axis;
