// SPDX-License-Identifier: Apache-2.0

/// Sends the spans of a worker to a collector of OpenTelemetry.
package dev.tensorbus.verticles.tracing;
