// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.checkpoint;

import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.StateDict;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.Remote;

/// A part of a model, here or on another worker.
interface ModelPart {
  /// The present values.
  StateDict state();

  /// Gives it these.
  void load(StateDict state);

  /// Checks that it can load these.
  ///
  /// @throws IllegalArgumentException if not
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

  /// Its owner checks what it is given to load: a check before that would send all of it twice.
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

  /// The answer of a remote part.
  @Remote
  static StateDict stateOf(Layer layer) {
    return layer.state();
  }

  /// Loads a state into a remote part.
  @Remote
  static void loadInto(Layer layer, StateDict state) {
    layer.load(state);
  }
}
