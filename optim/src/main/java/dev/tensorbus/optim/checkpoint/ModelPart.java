// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.checkpoint;

import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.StateDict;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.Remote;

/// A part of a model, local or on another worker.
interface ModelPart {
  /// Returns the current values.
  StateDict state();

  /// Loads values.
  void load(StateDict state);

  /// Checks that the part can load these values.
  ///
  /// @throws IllegalArgumentException if it cannot
  default void requireFit(StateDict state) {}

  static ModelPart here(Layer layer) {
    return new ModelPart() {
      @Override
      public StateDict state() {
        return layer.state();
      }

      @Override
      public void load(StateDict state) {
        layer.load(state);
      }

      @Override
      public void requireFit(StateDict state) {
        layer.requireFit(state);
      }
    };
  }

  /// Returns a remote part. It does not check values before loading, since that would require
  /// sending the values twice; the owner checks them when it loads them.
  static ModelPart there(RRef<? extends Layer> layer) {
    return new ModelPart() {
      @Override
      public StateDict state() {
        return layer.rpcSync(ModelPart::stateOf);
      }

      @Override
      public void load(StateDict state) {
        layer.rpcSync(ModelPart::loadInto, state);
      }
    };
  }

  /// Returns the values of a remote part.
  @Remote
  static StateDict stateOf(Layer layer) {
    return layer.state();
  }

  /// Loads values into a remote part.
  @Remote
  static void loadInto(Layer layer, StateDict state) {
    layer.load(state);
  }
}
