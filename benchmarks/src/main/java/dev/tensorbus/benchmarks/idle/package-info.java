// SPDX-License-Identifier: Apache-2.0

/// Measures what workers cost that have nothing to do.
package dev.tensorbus.benchmarks.idle;
