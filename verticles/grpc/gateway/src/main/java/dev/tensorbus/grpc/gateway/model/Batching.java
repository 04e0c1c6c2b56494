// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway.model;

import java.time.Duration;

/// How predictions of several callers are computed together.
///
/// @param maxRows examples in a batch; one call with more is a batch of its own
/// @param delay how long the first waits for others
public record Batching(int maxRows, Duration delay) {}
