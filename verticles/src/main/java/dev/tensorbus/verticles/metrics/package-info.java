// SPDX-License-Identifier: Apache-2.0

/// Counts what a worker does and lets Prometheus read it.
package dev.tensorbus.verticles.metrics;
