// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// A term of [Tensor#einsum]: a tensor whose axes have one-character names. The operation consists
/// of permutations, one product for each operand after the first, and sums.
///
/// @param x the values
/// @param names a character for each axis; [Equation] also assigns characters to the axes of `...`
record Einsum(Tensor x, String names) {
  /// See [Tensor#einsum].
  static Tensor of(String text, Tensor... operands) {
    Equation equation = Equation.of(text, operands);
    Compute.requireOneType("einsum", operands);
    Map<Character, Integer> sizes = new HashMap<>();
    for (int i = 0; i < operands.length; i++) {
      addSizes(operands[i].shape(), equation.terms().get(i), sizes);
    }
    Einsum product = whole(operands[0], equation.terms().getFirst(), sizes);
    for (int i = 1; i < operands.length; i++) {
      String later =
          equation.result() + String.join("", equation.terms().subList(i + 1, operands.length));
      product = product.times(whole(operands[i], equation.terms().get(i), sizes), later);
    }
    return product.summedTo(equation.result()).arranged(equation.result());
  }

  private static void addSizes(Shape shape, String names, Map<Character, Integer> sizes) {
    for (int axis = 0; axis < names.length(); axis++) {
      int size = shape.size(axis);
      int known = sizes.merge(names.charAt(axis), size, (a, b) -> a == 1 ? b : a);
      if (size != known && size != 1) {
        throw new ShapeException(
            "einsum",
            "axis %d of %s has %d values, but other axes with its letter have %d"
                .formatted(axis, shape, size, known));
      }
    }
  }

  /// Returns a term in which each name occurs once and axes of size 1 are expanded to the size of
  /// other axes with the same name.
  private static Einsum whole(Tensor x, String names, Map<Character, Integer> sizes) {
    int[] whole = names.chars().map(name -> sizes.get((char) name)).toArray();
    Tensor repeated = x.shape().equals(Shape.of(whole)) ? x : x.expand(whole);
    return new Einsum(repeated, names).withoutTwins();
  }

  /// Merges axes with equal names into one axis: their diagonal.
  private Einsum withoutTwins() {
    for (int first = 0; first < names.length(); first++) {
      int second = names.indexOf(names.charAt(first), first + 1);
      if (second >= 0) {
        return diagonal(first, second).withoutTwins();
      }
    }
    return this;
  }

  private Einsum diagonal(int first, int second) {
    int size = x.shape().size(first);
    int[] others =
        IntStream.range(0, names.length()).filter(i -> i != first && i != second).toArray();
    int[] order = Arrays.copyOf(others, others.length + 2);
    order[others.length] = first;
    order[others.length + 1] = second;
    int[] shape = Arrays.copyOf(x.permute(order).shape().toArray(), others.length + 1);
    shape[others.length] = size * size;
    long[] places = new long[size];
    Arrays.setAll(places, i -> (long) i * (size + 1));
    Tensor taken = x.permute(order).reshape(shape).indexSelect(-1, Tensor.ofLongs(places));
    String rest =
        Arrays.stream(others)
            .mapToObj(i -> names.substring(i, i + 1))
            .collect(Collectors.joining());
    return new Einsum(taken, rest + names.charAt(first));
  }

  /// Returns the product with another term, summed over axes that are no longer needed.
  ///
  /// @param later the names that are still needed after this product
  private Einsum times(Einsum other, String later) {
    Einsum a = summedTo(other.names + later);
    Einsum b = other.summedTo(names + later);
    String batch = names(a.names, name -> has(b.names, name) && has(later, name));
    String inner = names(a.names, name -> has(b.names, name) && !has(later, name));
    String rows = names(a.names, name -> !has(b.names, name));
    String columns = names(b.names, name -> !has(a.names, name));
    Tensor left = a.matrices(batch, rows, inner);
    Tensor right = b.matrices(batch, inner, columns);
    Tensor product = inner.isEmpty() ? left.mul(right) : left.matmul(right);
    int[] sizes = IntStream.concat(a.sizes(batch + rows), b.sizes(columns)).toArray();
    return new Einsum(product.reshape(sizes), batch + rows + columns);
  }

  /// Returns the values as `[batch, rows, columns]`, or as a matrix if there is no batch.
  private Tensor matrices(String batch, String rows, String columns) {
    Tensor ordered = arranged(batch + rows + columns);
    int height = product(rows);
    int width = product(columns);
    return batch.isEmpty()
        ? ordered.reshape(height, width)
        : ordered.reshape(product(batch), height, width);
  }

  /// Sums over the axes whose names are not in `wanted`.
  private Einsum summedTo(String wanted) {
    int[] over =
        IntStream.range(0, names.length()).filter(i -> !has(wanted, names.charAt(i))).toArray();
    return over.length == 0
        ? this
        : new Einsum(x.sum(over), names(names, name -> has(wanted, name)));
  }

  /// Returns the values with the axes in the given order.
  private Tensor arranged(String order) {
    return order.equals(names) ? x : x.permute(order.chars().map(names::indexOf).toArray());
  }

  private IntStream sizes(String axes) {
    return axes.chars().map(name -> x.shape().size(names.indexOf(name)));
  }

  private int product(String axes) {
    return Shape.of(sizes(axes).toArray()).elements();
  }

  private static boolean isLetter(int sign) {
    return (sign >= 'a' && sign <= 'z') || (sign >= 'A' && sign <= 'Z');
  }

  private static boolean has(String names, int name) {
    return names.indexOf(name) >= 0;
  }

  private static String names(String names, IntPredicate chosen) {
    return names.chars().filter(chosen).mapToObj(Character::toString).collect(Collectors.joining());
  }

  /// The parsed equation of [Tensor#einsum], with a one-character name for each axis. The axes of
  /// `...` are broadcast, so their characters, which are not letters, are assigned from the last
  /// axis to the first.
  ///
  /// @param terms the names of each operand's axes
  /// @param result the names of the result's axes
  private record Equation(List<String> terms, String result) {
    private static final String DOTS = "...";

    /// The name of the last axis of `...`, in Unicode's private use area.
    private static final char LAST = '\uE000';

    static Equation of(String text, Tensor... operands) {
      String[] sides = text.replace(" ", "").split("->", 2);
      String[] given = sides[0].split(",", -1);
      if (given.length != operands.length || operands.length == 0) {
        throw new IllegalArgumentException(
            "einsum: \"%s\" has %d terms for %d tensors; write one for each, separated by commas"
                .formatted(text, given.length, operands.length));
      }
      List<String> terms = new ArrayList<>();
      int dots = 0;
      for (int i = 0; i < given.length; i++) {
        int rank = operands[i].shape().rank();
        int hidden = rank - letters(text, given[i]).length();
        if (hidden < 0 || (hidden > 0 && !given[i].contains(DOTS))) {
          throw new ShapeException(
              "einsum",
              "term \"%s\" does not fit %s: expected a letter for each axis, or ..."
                  .formatted(given[i], operands[i].shape()));
        }
        terms.add(given[i].replace(DOTS, dots(hidden)));
        dots = Math.max(dots, hidden);
      }
      String all = String.join("", terms);
      String result = sides.length == 2 ? sides[1].replace(DOTS, dots(dots)) : implied(all, dots);
      requireResult(text, sides.length == 2 ? letters(text, sides[1]) : "", all);
      return new Equation(terms, result);
    }

    /// Returns the letters of a term.
    private static String letters(String text, String term) {
      int dots = term.indexOf(DOTS);
      String letters =
          dots < 0 ? term : term.substring(0, dots) + term.substring(dots + DOTS.length());
      if (!letters.chars().allMatch(Einsum::isLetter)) {
        throw new IllegalArgumentException(
            "einsum: \"%s\" in \"%s\" may contain only letters and one ..., as in ij,jk->ik"
                .formatted(term, text));
      }
      return letters;
    }

    private static String dots(int axes) {
      return IntStream.range(0, axes)
          .mapToObj(i -> Character.toString(LAST + axes - 1 - i))
          .collect(Collectors.joining());
    }

    /// Returns the default result: the axes of `...`, then the letters that occur once, sorted.
    private static String implied(String all, int dots) {
      return dots(dots)
          + all.chars()
              .filter(c -> c < LAST && all.indexOf(c) == all.lastIndexOf(c))
              .sorted()
              .mapToObj(Character::toString)
              .collect(Collectors.joining());
    }

    private static void requireResult(String text, String result, String all) {
      for (int i = 0; i < result.length(); i++) {
        char name = result.charAt(i);
        if (all.indexOf(name) < 0 || result.indexOf(name) < i) {
          throw new IllegalArgumentException(
              "einsum: the result of \"%s\" names %s %s; expected letters of the terms, each once"
                  .formatted(text, name, all.indexOf(name) < 0 ? "without a term" : "twice"));
        }
      }
    }
  }
}
