// SPDX-License-Identifier: Apache-2.0

/// Measures what it costs to watch a world.
package dev.tensorbus.benchmarks.observability;
