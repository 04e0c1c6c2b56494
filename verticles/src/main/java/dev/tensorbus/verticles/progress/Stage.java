// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.progress;

/// What a worker has reached, for the launcher of its process.
public enum Stage {
  /// All workers of the world have joined.
  READY,

  /// The work has succeeded, and only the page is left.
  FINISHED
}
