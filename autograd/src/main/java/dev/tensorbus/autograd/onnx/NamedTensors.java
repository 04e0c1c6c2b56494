// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Layer;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/// A layer whose parameters and buffers have the names that they have in a file. Dots separate the
/// names of children, as in torch.
class NamedTensors extends Layer {
  /// More dots than any name has.
  private static final int DEEPEST = 32;

  /// Registers tensors and returns them under the given names. A name whose dots cannot name
  /// children, such as `a.b` beside `a`, is registered with underscores instead.
  ///
  /// @param buffers the names of those that are not learned
  final Map<String, Tensor> register(Map<String, Tensor> values, Set<String> buffers) {
    Map<String, Tensor> registered = new HashMap<>();
    Part part = new Part();
    values.forEach(
        (name, tensor) -> {
          String path = isPath(name, values.keySet()) ? name : name.replace('.', '_');
          part.put(path, new Named(name, tensor, buffers.contains(name)));
        });
    register(part, registered);
    return registered;
  }

  private static boolean isPath(String name, Set<String> all) {
    int dots = 0;
    for (int dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
      String before = name.substring(0, dot);
      if (before.isEmpty() || before.endsWith(".") || all.contains(before) || ++dots > DEEPEST) {
        return false;
      }
    }
    return !name.endsWith(".");
  }

  private void register(Part part, Map<String, Tensor> registered) {
    part.own.forEach((name, named) -> registered.put(named.name(), register(name, named)));
    part.children.forEach(
        (name, inner) -> {
          NamedTensors layer = new NamedTensors();
          layer.register(inner, registered);
          child(name, layer);
        });
  }

  private Tensor register(String name, Named named) {
    Tensor values = named.tensor();
    if (named.isBuffer()) {
      return buffer(name, values);
    }
    Tensor parameter = parameter(name, values.shape(), values.to(DType.FLOAT32).values());
    parameter.convertTo(values.dtype());
    parameter.replace(_ -> values);
    return parameter;
  }

  private record Named(String name, Tensor tensor, boolean isBuffer) {}

  /// The tensors and children of one layer.
  private static final class Part {
    private final Map<String, Named> own = new LinkedHashMap<>();
    private final Map<String, Part> children = new LinkedHashMap<>();

    void put(String path, Named named) {
      int dot = path.indexOf('.');
      if (dot < 0) {
        if (own.put(path, named) != null) {
          throw new IllegalArgumentException(
              "two tensors are named \"%s\", with underscores instead of dots".formatted(path));
        }
      } else {
        Part child = children.computeIfAbsent(path.substring(0, dot), _ -> new Part());
        child.put(path.substring(dot + 1), named);
      }
    }
  }
}
