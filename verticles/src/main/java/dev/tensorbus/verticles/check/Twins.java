// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.check;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.Rpc;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/// One model twice, with equal weights: all of it on this worker, and spread over two.
///
/// @param here the parameters of the one that is here, by name
/// @param spread those of the other, in the same order
/// @param lossHere computes a loss by the one
/// @param lossSpread computes the same loss by the other, in the present autograd context
public record Twins(
    Map<String, Tensor> here,
    List<RRef<Tensor>> spread,
    Supplier<Tensor> lossHere,
    Supplier<Tensor> lossSpread) {

  /// Makes twins.
  @FunctionalInterface
  public interface Maker {
    /// Makes the twins of a program's model.
    ///
    /// @param rpc this worker
    /// @param other the name of the other
    /// @param seed of weights and data
    Twins make(Rpc rpc, String other, long seed);
  }
}
