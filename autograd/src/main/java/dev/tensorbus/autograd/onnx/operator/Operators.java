// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx.operator;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/// All supported operators.
public final class Operators {
  private static final Map<String, Operator> ALL = all();

  private Operators() {}

  private static Map<String, Operator> all() {
    OperatorTable table = new OperatorTable();
    Elementwise.addTo(table);
    Layouts.addTo(table);
    Indexing.addTo(table);
    Reductions.addTo(table);
    Networks.addTo(table);
    ImageOperators.addTo(table);
    Recurrences.addTo(table);
    Estimators.addTo(table);
    return table.operators();
  }

  /// Returns the operator with this name, which follows its domain unless that is ONNX's own; null
  /// if it is unknown.
  public static @Nullable Operator named(String name) {
    return ALL.get(name);
  }
}
