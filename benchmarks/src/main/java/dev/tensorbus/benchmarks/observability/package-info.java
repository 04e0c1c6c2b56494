// SPDX-License-Identifier: Apache-2.0

/// Measures the cost of observability.
package dev.tensorbus.benchmarks.observability;
