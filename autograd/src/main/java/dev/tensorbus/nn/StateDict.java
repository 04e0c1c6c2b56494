// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.safetensors.Safetensors;
import dev.tensorbus.nn.safetensors.SafetensorsException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/// The values of a layer's parameters and buffers under torch's names, such as `conv1.weight`, in
/// the order of registration. Like torch's `state_dict`.
public record StateDict(Map<String, Tensor> tensors) {
  /// Copies the map and keeps its order.
  public StateDict {
    tensors = Collections.unmodifiableMap(new LinkedHashMap<>(tensors));
  }

  /// Reads a file written by [#save], or by `safetensors.torch.save_file` in Python.
  ///
  /// @throws SafetensorsException if the file cannot be read or is damaged, or a tensor has an
  ///     unsupported type or is too large
  public static StateDict read(Path file) {
    return new StateDict(Safetensors.read(file));
  }

  /// Reads the tensors whose names match a condition: `StateDict.read(file, name ->
  /// name.startsWith("encoder."))`. Other tensors may have types that [Safetensors] cannot read.
  ///
  /// @throws SafetensorsException if the file cannot be read or is damaged, or a wanted tensor
  ///     has an unsupported type or is too large
  public static StateDict read(Path file, Predicate<String> isWanted) {
    return new StateDict(Safetensors.read(file, isWanted));
  }

  /// Returns the tensors whose names match a condition, for [Layer#loadMatching]:
  /// `state.select(name -> !name.startsWith("head."))`.
  public StateDict select(Predicate<String> isChosen) {
    Map<String, Tensor> chosen = new LinkedHashMap<>(tensors);
    chosen.keySet().removeIf(isChosen.negate());
    return new StateDict(chosen);
  }

  /// Returns a copy in which the tensors have different names, for example to load a network that
  /// was saved as part of a larger one: `state.renamed(name -> name.replaceFirst("^module\\.",
  /// ""))`.
  ///
  /// @throws IllegalArgumentException if two tensors would get the same name
  public StateDict renamed(UnaryOperator<String> rename) {
    Map<String, Tensor> renamed = new LinkedHashMap<>();
    tensors.forEach(
        (name, tensor) -> {
          if (renamed.putIfAbsent(rename.apply(name), tensor) != null) {
            throw new IllegalArgumentException(
                "renamed: %s and another tensor would both be named %s; give them different names"
                    .formatted(name, rename.apply(name)));
          }
        });
    return new StateDict(renamed);
  }

  /// Converts floating-point values to another type; integers and masks stay unchanged. A bfloat16
  /// file is half as large as a float32 file, and a layer that loads it converts the values to its
  /// own type: `net.state().to(DType.BFLOAT16).save(file)`.
  ///
  /// @throws IllegalArgumentException if the type is not a floating-point type
  public StateDict to(DType type) {
    if (isWhole(type)) {
      throw new IllegalArgumentException(
          "to: values can be converted to float32, float64 or bfloat16, not to " + type);
    }
    Map<String, Tensor> converted = new LinkedHashMap<>(tensors);
    converted.replaceAll((_, tensor) -> isWhole(tensor.dtype()) ? tensor : tensor.to(type));
    return new StateDict(converted);
  }

  private static boolean isWhole(DType type) {
    return type == DType.INT64 || type == DType.BOOL;
  }

  /// Writes a safetensors file, which Python reads with `safetensors.torch.load_file`.
  ///
  /// @throws SafetensorsException if the file cannot be written
  public void save(Path file) {
    Safetensors.write(file, tensors);
  }
}
