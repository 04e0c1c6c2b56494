// SPDX-License-Identifier: Apache-2.0

/// Sends the spans of a worker to an OpenTelemetry collector.
package dev.tensorbus.verticles.tracing;
