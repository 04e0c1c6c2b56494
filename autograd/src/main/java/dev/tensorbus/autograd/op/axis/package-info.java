// SPDX-License-Identifier: Apache-2.0

/// Operations that go along one axis: running sums and products, order.
package dev.tensorbus.autograd.op.axis;
