// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server;

import java.time.Duration;

/// How predictions for several callers are computed together.
///
/// @param maxRows the maximum number of examples in a batch; a call with more examples is a
///     separate batch
/// @param delay the maximum time that the first call of a batch waits for others
public record Batching(int maxRows, Duration delay) {
  /// The default: up to 64 examples, those that have arrived during the previous batch.
  public static final Batching STANDARD = new Batching(64, Duration.ZERO);
}
