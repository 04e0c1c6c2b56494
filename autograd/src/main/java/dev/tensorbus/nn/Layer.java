// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn;

/// A building block with parameters. Placeholder for the first build.
public abstract class Layer {
  /// For subclasses.
  protected Layer() {}
}
