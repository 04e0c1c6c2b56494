// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.check;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.Rpc;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/// The same model twice, with equal weights: local on this worker, and distributed over two.
///
/// @param here the parameters of the local model, by name
/// @param spread the parameters of the distributed model, in the same order
/// @param lossHere computes the loss of the local model
/// @param lossSpread computes the loss of the distributed model, in the current autograd context
public record Twins(
    Map<String, Tensor> here,
    List<RRef<Tensor>> spread,
    Supplier<Tensor> lossHere,
    Supplier<Tensor> lossSpread) {

  /// A factory for twins.
  @FunctionalInterface
  public interface Maker {
    /// Creates the twins of a program's model.
    ///
    /// @param rpc this worker
    /// @param other the name of the other worker
    /// @param seed the seed of weights and data
    Twins make(Rpc rpc, String other, long seed);
  }
}
