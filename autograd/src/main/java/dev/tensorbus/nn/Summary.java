// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn;

import dev.tensorbus.autograd.Tensor;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// A table of a layer and all its descendants, with the shapes of their parameters and the number
/// of values. Like the Python package torchinfo.
///
/// ```java
/// System.out.println(Summary.of(net));
/// ```
///
/// @param rows a row for each layer, parents before their children
/// @param parameters the number of values of all parameters; a tied parameter is counted once
/// @param frozen the number of values of frozen parameters
/// @param bytes the size of all parameters and buffers, in bytes
public record Summary(List<Row> rows, long parameters, long frozen, long bytes) {
  /// The row of one layer.
  ///
  /// @param name the name of the layer within the root layer, such as `blocks.0.linear1`; empty for
  ///     the root layer
  /// @param type the simple name of the layer's class
  /// @param shapes the shapes of the layer's parameters, without those of its children, such as
  ///     `weight [64, 784], bias [64]`
  /// @param parameters the number of values of these parameters; parameters that occur in an
  ///     earlier row are not counted again
  public record Row(String name, String type, String shapes, long parameters) {}

  /// Returns the summary of a layer with its current parameters.
  public static Summary of(Layer layer) {
    List<Row> rows = new ArrayList<>();
    add("", layer, rows, new HashSet<>());
    List<Tensor> parameters = layer.parameters();
    return new Summary(
        rows,
        elements(parameters),
        elements(parameters.stream().filter(one -> !one.requiresGrad()).toList()),
        bytes(parameters) + bytes(layer.namedBuffers().values()));
  }

  /// Adds the rows of a layer and its descendants.
  ///
  /// @param counted the parameters of earlier rows
  private static void add(String name, Layer layer, List<Row> rows, Set<Tensor> counted) {
    Map<String, Tensor> own = layer.ownParameters();
    String shapes =
        own.entrySet().stream()
            .map(named -> shape(named, counted.contains(named.getValue())))
            .collect(Collectors.joining(", "));
    long parameters = elements(own.values().stream().filter(counted::add).toList());
    rows.add(new Row(name, layer.getClass().getSimpleName(), shapes, parameters));
    layer
        .namedChildren()
        .forEach(
            (child, below) ->
                add(name.isEmpty() ? child : name + "." + child, below, rows, counted));
  }

  private static String shape(Map.Entry<String, Tensor> named, boolean isTied) {
    return named.getKey() + " " + named.getValue().shape() + (isTied ? " tied" : "");
  }

  private static long elements(Collection<Tensor> tensors) {
    return tensors.stream().mapToLong(tensor -> tensor.shape().elements()).sum();
  }

  private static long bytes(Collection<Tensor> tensors) {
    return tensors.stream()
        .mapToLong(tensor -> (long) tensor.shape().elements() * tensor.dtype().bytes())
        .sum();
  }

  /// Returns the table, followed by a line of totals.
  @Override
  public String toString() {
    int names = width("layer", rows.stream().map(Row::name).toList());
    int types = width("type", rows.stream().map(Row::type).toList());
    int shapes = width("shapes", rows.stream().map(Row::shapes).toList());
    String format = "%-" + names + "s  %-" + types + "s  %-" + shapes + "s  %10s%n";
    StringBuilder table = new StringBuilder();
    table.append(format.formatted("layer", "type", "shapes", "parameters"));
    for (Row row : rows) {
      String count = row.parameters() == 0 ? "" : grouped(row.parameters());
      table.append(format.formatted(row.name(), row.type(), row.shapes(), count));
    }
    return table
        .append(
            "%s parameters, %s of them frozen, %s bytes"
                .formatted(grouped(parameters), grouped(frozen), grouped(bytes)))
        .toString();
  }

  private static int width(String title, List<String> cells) {
    return Math.max(title.length(), cells.stream().mapToInt(String::length).max().orElse(0));
  }

  private static String grouped(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }
}
