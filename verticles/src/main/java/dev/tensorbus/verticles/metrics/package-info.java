// SPDX-License-Identifier: Apache-2.0

/// Measures a worker and serves its metrics to Prometheus.
package dev.tensorbus.verticles.metrics;
