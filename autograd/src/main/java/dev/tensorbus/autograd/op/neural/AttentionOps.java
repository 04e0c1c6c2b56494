// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op.neural;

import static dev.tensorbus.autograd.op.Compute.array;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.NoGrad;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.graph.Functional;
import dev.tensorbus.autograd.kernel.Arithmetic;
import dev.tensorbus.autograd.kernel.attention.AttentionInputs;
import dev.tensorbus.autograd.kernel.attention.AttentionMask;
import dev.tensorbus.autograd.kernel.attention.AttentionShape;
import dev.tensorbus.autograd.kernel.attention.DropoutFactors;
import dev.tensorbus.autograd.op.Compute;
import dev.tensorbus.autograd.op.FusedForward;
import dev.tensorbus.autograd.trace.OnnxValue;
import dev.tensorbus.autograd.trace.Trace;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Scaled dot-product attention, as a fused operation that never stores all scores. In a trace, it
/// is composed of matrix products and softmax instead, for which ONNX has operators. The same
/// applies if the mask requires a gradient or shapes are broadcast.
///
/// @param mask null, a boolean mask that is true where a target may attend to a source, or a
///     floating-point mask that is added to the scores
/// @param probability the probability of dropping a weight
/// @param random the source of random numbers; null without dropout
public record AttentionOps(
    @Nullable Tensor mask, float probability, @Nullable RandomGenerator random) {
  /// Creates attention without dropout.
  public AttentionOps(@Nullable Tensor mask) {
    this(mask, 0, null);
  }

  /// Returns a copy with dropout of the weights.
  public AttentionOps withDropout(float probability, RandomGenerator random) {
    RandomOps.requireProbability("scaledDotProduct", probability);
    return new AttentionOps(mask, probability, probability == 0 ? null : random);
  }

  /// See [dev.tensorbus.nn.functional.Attention#scaledDotProduct].
  public Tensor scaledDotProduct(Tensor query, Tensor key, Tensor value) {
    requireFit(query, key);
    int[] scores = query.shape().toArray();
    int axes = scores.length - 2;
    scores[axes + 1] = key.shape().size(-2);
    boolean broadcasts =
        !key.shape().equals(sized(scores, scores[axes + 1], query.shape().size(-1)))
            || value.shape().rank() != scores.length
            || !value.shape().equals(sized(scores, scores[axes + 1], value.shape().size(-1)));
    if (broadcasts || !isFused(Shape.of(scores), query, key, value)) {
      return decomposed(query, key, value);
    }
    int batch = Shape.of(Arrays.copyOf(scores, axes)).elements();
    return fused(
            Shape.of(scores), 1, batched(batch, query), batched(batch, key), batched(batch, value))
        .reshape(sized(scores, scores[axes], value.shape().size(-1)).toArray());
  }

  /// Computes attention of several heads, each on a slice of the last axis.
  ///
  /// @param query `[n, targets, heads * size]`
  /// @param key `[n, sources, heads * size]`
  /// @param value `[n, sources, heads * size]`
  /// @return `[n, targets, heads * size]`
  public Tensor multihead(int heads, Tensor query, Tensor key, Tensor value) {
    Shape shape = query.shape();
    Shape scores = Shape.of(shape.size(0), heads, shape.size(1), key.shape().size(1));
    if (key.shape().equals(value.shape())
        && key.shape().size(0) == shape.size(0)
        && isFused(scores, query, key, value)) {
      return fused(scores, heads, query, key, value);
    }
    return decomposed(parted(heads, query), parted(heads, key), parted(heads, value))
        .transpose(1, 2)
        .reshape(shape.toArray());
  }

  private static Tensor parted(int heads, Tensor x) {
    Shape shape = x.shape();
    return x.reshape(shape.size(0), shape.size(1), heads, shape.size(2) / heads).transpose(1, 2);
  }

  private static Tensor batched(int batch, Tensor x) {
    return x.reshape(batch, x.shape().size(-2), x.shape().size(-1));
  }

  private static Shape sized(int[] sizes, int rows, int columns) {
    int[] sized = sizes.clone();
    sized[sizes.length - 2] = rows;
    sized[sizes.length - 1] = columns;
    return Shape.of(sized);
  }

  private static void requireFit(Tensor query, Tensor key) {
    if (query.shape().rank() < 2 || query.shape().size(-1) != key.shape().size(-1)) {
      throw new ShapeException(
          "scaledDotProduct",
          "queries %s and keys %s do not fit".formatted(query.shape(), key.shape()));
    }
  }

  private boolean isFused(Shape scores, Tensor query, Tensor key, Tensor value) {
    boolean ofOneType =
        query.dtype().isFloating()
            && key.dtype() == query.dtype()
            && value.dtype() == query.dtype();
    return ofOneType
        && !Trace.isOn()
        && scores.elements() > 0
        && query.shape().elements() > 0
        && value.shape().elements() > 0
        && (mask == null || (!isLearning(mask) && isRepeatedTo(mask.shape(), scores)));
  }

  private static boolean isLearning(Tensor mask) {
    return mask.requiresGrad() && !NoGrad.isOn();
  }

  private static boolean isRepeatedTo(Shape shape, Shape whole) {
    for (int axis = 1; axis <= shape.rank(); axis++) {
      int size = shape.size(-axis);
      if (axis > whole.rank() || (size != 1 && size != whole.size(-axis))) {
        return false;
      }
    }
    return true;
  }

  private Tensor decomposed(Tensor query, Tensor key, Tensor value) {
    double scale = 1 / Math.sqrt(query.shape().size(-1));
    Tensor scores = masked(query.scale(scale).matmul(key.transpose(-2, -1)));
    Tensor weights = scores.softmax(-1);
    return (random == null ? weights : weights.dropout(probability, random)).matmul(value);
  }

  private Tensor masked(Tensor scores) {
    if (mask == null) {
      return scores;
    }
    return mask.dtype() == DType.BOOL
        ? scores.maskedFill(mask.not(), Double.NEGATIVE_INFINITY)
        : scores.add(mask);
  }

  /// @param scores the shape of all scores, `[…, targets, sources]`
  private Tensor fused(Shape scores, int heads, Tensor query, Tensor key, Tensor value) {
    int size = query.shape().size(2) / heads;
    AttentionShape shape =
        new AttentionShape(
            query.shape().size(0),
            heads,
            query.shape().size(1),
            key.shape().size(1),
            size,
            value.shape().size(2) / heads,
            1 / Math.sqrt(size));
    DropoutFactors dropout =
        random == null
            ? null
            : new DropoutFactors(probability, 1 / (1 - probability), random.nextLong());
    AttentionMask<Object> given = mask == null ? null : laid(mask, scores, query.dtype());
    AttentionOps same = new AttentionOps(mask == null ? null : version(mask, query.dtype()));
    return new ScaledDotProductAttention(
            shape, given, dropout, inputs -> same.unfused(scores, shape, dropout, inputs))
        .apply(query, key, value);
  }

  private static Tensor version(Tensor mask, DType type) {
    return mask.dtype() == DType.BOOL ? mask.detach() : mask.detach().to(type);
  }

  /// Computes the same result as [#fused] from separate operations.
  private Tensor unfused(
      Shape scores, AttentionShape shape, @Nullable DropoutFactors dropout, List<Tensor> inputs) {
    Tensor query = parted(shape.heads(), inputs.get(0)).scale(shape.scale());
    Tensor products = query.matmul(parted(shape.heads(), inputs.get(1)).transpose(-2, -1));
    int[] sizes = products.shape().toArray();
    Tensor all = masked(products.reshape(scores.toArray())).softmax(-1).reshape(sizes);
    Tensor weights = dropout == null ? all : all.mul(factors(shape, dropout, all.dtype()));
    return weights
        .matmul(parted(shape.heads(), inputs.get(2)))
        .transpose(1, 2)
        .reshape(shape.batch(), shape.targets(), shape.valueRow());
  }

  /// Returns the dropout factors of all weights.
  private static Tensor factors(AttentionShape shape, DropoutFactors dropout, DType type) {
    float[] factors = new float[shape.items() * shape.sources() * shape.targets()];
    dropout.fill(factors, 0, factors.length, shape.weight(0, 0));
    return Tensor.of(factors)
        .reshape(shape.batch(), shape.heads(), shape.sources(), shape.targets())
        .transpose(-2, -1)
        .to(type);
  }

  /// Returns the mask without copying it, with its strides and the offset at which the slice of
  /// each item (one head of one example) begins.
  private static AttentionMask<Object> laid(Tensor mask, Shape scores, DType type) {
    int[] steps = new int[scores.rank()];
    int step = 1;
    for (int axis = 1; axis <= mask.shape().rank(); axis++) {
      steps[steps.length - axis] = mask.shape().size(-axis) == 1 ? 0 : step;
      step *= mask.shape().size(-axis);
    }
    int axes = steps.length - 2;
    int[] starts = new int[Shape.of(Arrays.copyOf(scores.toArray(), axes)).elements()];
    for (int item = 0; item < starts.length; item++) {
      int rest = item;
      for (int axis = axes - 1; axis >= 0; axis--) {
        starts[item] += rest % scores.size(axis) * steps[axis];
        rest /= scores.size(axis);
      }
    }
    return mask.dtype() == DType.BOOL
        ? new AttentionMask<>(mask.booleans(), null, starts, steps[axes], steps[axes + 1])
        : new AttentionMask<>(
            null, array(mask.detach().to(type)), starts, steps[axes], steps[axes + 1]);
  }

  /// The inputs are queries, keys and values, `[n, positions, heads * size]`.
  ///
  /// @param unfused the same computation from separate operations
  private record ScaledDotProductAttention(
      AttentionShape shape,
      @Nullable AttentionMask<Object> mask,
      @Nullable DropoutFactors dropout,
      Function<List<Tensor>, Tensor> unfused)
      implements FusedForward {
    @Override
    public Result forward(Tensor... inputs) {
      AttentionInputs<Object> given =
          new AttentionInputs<>(
              shape, array(inputs[0]), array(inputs[1]), array(inputs[2]), mask, dropout);
      Shape result = Shape.of(shape.batch(), shape.targets(), shape.heads() * shape.valueSize());
      double[] logSums = new double[shape.items() * shape.targets()];
      Tensor y = Compute.result(inputs[0], result, (k, to) -> k.attention(given, to, logSums));
      return new Result(y, new Saved(given, unfused, inputs, y, logSums));
    }

    @Override
    public OnnxValue onnx(OnnxValue.Input... inputs) {
      throw new IllegalStateException("attention in a trace consists of other operations");
    }

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Saved(
        AttentionInputs<Object> given,
        Function<List<Tensor>, Tensor> unfused,
        Tensor[] inputs,
        Tensor y,
        double[] logSums)
        implements Derivative {
      /// Differentiates the same computation composed of separate operations, which are recorded.
      @Override
      public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
        return Functional.vjp(unfused, Arrays.asList(inputs), gradient).toArray(Tensor[]::new);
      }

      @Override
      public @Nullable Tensor[] fusedBackward(Tensor gradient, boolean[] needed) {
        Arithmetic<Object> kernels = Compute.kernels(gradient);
        Tensor[] gradients =
            Arrays.stream(inputs)
                .map(x -> Tensor.full(x.shape(), x.dtype(), 0))
                .toArray(Tensor[]::new);
        kernels.attentionGradient(
            given,
            array(y),
            logSums,
            array(gradient),
            array(gradients[0]),
            array(gradients[1]),
            array(gradients[2]));
        return gradients;
      }
    }
  }
}
