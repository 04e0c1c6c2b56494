// SPDX-License-Identifier: Apache-2.0

/// Measures the CPU usage of idle workers.
package dev.tensorbus.benchmarks.idle;
