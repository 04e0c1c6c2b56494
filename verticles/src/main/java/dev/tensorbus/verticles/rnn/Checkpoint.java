// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.rnn;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.StateDict;
import dev.tensorbus.nn.safetensors.SafetensorsException;
import dev.tensorbus.verticles.UsageException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/// A model as it was after some epochs, in one safetensors file.
///
/// @param model the values of its parameters
/// @param epochs how many epochs it has learned
record Checkpoint(StateDict model, int epochs) {
  private static final String EPOCHS = "epochs";

  /// @throws UsageException if the file cannot be read or holds something else
  static Checkpoint read(Path file) {
    try {
      Map<String, Tensor> values = new LinkedHashMap<>(StateDict.read(file).tensors());
      Tensor epochs = values.remove(EPOCHS);
      if (epochs == null) {
        throw new UsageException(
            "--resume " + file + " holds no epochs; give a file that --save has written");
      }
      return new Checkpoint(new StateDict(values), (int) epochs.itemDouble());
    } catch (SafetensorsException e) {
      throw new UsageException("--resume " + e.getMessage());
    }
  }

  /// Writes it, in place of what was there.
  ///
  /// @throws UsageException if it cannot be written
  void save(Path file) {
    Map<String, Tensor> values = new LinkedHashMap<>(model.tensors());
    values.put(EPOCHS, Tensor.ofLongs(epochs));
    try {
      new StateDict(values).save(file);
    } catch (SafetensorsException e) {
      throw new UsageException("--save " + e.getMessage());
    }
  }
}
