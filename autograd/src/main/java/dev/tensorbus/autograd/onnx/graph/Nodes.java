// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx.graph;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/// What one operation says itself in: it adds nodes for its inputs and gets the names of what
/// they give.
public final class Nodes {
  private final GraphBuilder graph;
  private final String origin;
  private final List<Input> inputs;

  /// A value that the operation is given.
  public record Input(String name, DType type, Shape shape) {}

  /// For the operation `origin`.
  public Nodes(GraphBuilder graph, String origin, List<Input> inputs) {
    this.graph = graph;
    this.origin = origin;
    this.inputs = List.copyOf(inputs);
  }

  /// The name of the first input.
  public String x() {
    return input(0);
  }

  /// The name of an input.
  public String input(int i) {
    return inputs.get(i).name();
  }

  /// How many inputs there are.
  public int count() {
    return inputs.size();
  }

  /// An input's shape.
  public Shape shape(int i) {
    return inputs.get(i).shape();
  }

  /// An input's type.
  public DType type(int i) {
    return inputs.get(i).type();
  }

  /// A number, in the type of the first input.
  public String number(double value) {
    return constant(Tensor.full(Shape.SCALAR, type(0), value));
  }

  /// Whole numbers: sizes, axes, bounds.
  public String ints(int... values) {
    return graph.ints(Arrays.stream(values).asLongStream().toArray());
  }

  /// Values that do not depend on the input.
  public String constant(Tensor values) {
    return graph.constant(values);
  }

  /// Adds a node without settings.
  public String add(String operator, String... of) {
    return node(operator).of(of);
  }

  /// The same values under these sizes.
  public String reshaped(String value, Shape shape) {
    // Without allowzero a size of 0 would stand for that of the input.
    return node("Reshape").with("allowzero", 1).of(value, ints(shape.toArray()));
  }

  /// The values in another type.
  public String cast(String value, DType type) {
    return node("Cast").with("to", TensorBytes.code(type)).of(value);
  }

  /// Begins a node with settings.
  public Node node(String operator) {
    return new Node(operator);
  }

  /// A node that is being made.
  public final class Node {
    private final String operator;
    private final List<Attribute> attributes = new ArrayList<>();

    private Node(String operator) {
      this.operator = operator;
    }

    /// Sets whole numbers.
    public Node with(String name, int... values) {
      List<Long> longs = Arrays.stream(values).asLongStream().boxed().toList();
      attributes.add(new Attribute(name, longs));
      return this;
    }

    /// Sets a whole number.
    public Node with(String name, int value) {
      attributes.add(new Attribute(name, (long) value));
      return this;
    }

    /// Sets a real number.
    public Node withReal(String name, double value) {
      attributes.add(new Attribute(name, (float) value));
      return this;
    }

    /// Sets a word.
    public Node withText(String name, String value) {
      attributes.add(new Attribute(name, value));
      return this;
    }

    /// Sets words.
    public Node withTexts(String name, String... values) {
      attributes.add(new Attribute(name, List.of(values)));
      return this;
    }

    /// Adds the node and gives the name of its result.
    public String of(String... values) {
      return all(1, values).getFirst();
    }

    /// Adds the node and gives the names of its results.
    public List<String> all(int results, String... values) {
      List<String> names =
          LongStream.range(0, results).mapToObj(i -> graph.newName(origin)).toList();
      graph.node(new GraphNode(operator, origin, List.of(values), names, List.copyOf(attributes)));
      return names;
    }
  }
}
