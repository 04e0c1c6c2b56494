// SPDX-License-Identifier: Apache-2.0

/// Keeps the calls that wait for their answers, and the clock that ends them.
package dev.tensorbus.rpc.pending;
