// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.gpt;

import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Embedding;
import dev.tensorbus.nn.Forward;
import dev.tensorbus.nn.Initializers;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.LayerList;
import dev.tensorbus.nn.StateDict;
import dev.tensorbus.nn.dropout.Dropout;
import dev.tensorbus.nn.functional.Attention;
import dev.tensorbus.nn.normalization.LayerNorm;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/// Predicts the next token of a text: GPT-2 (Radford et al., "Language Models are Unsupervised
/// Multitask Learners", 2019), with the same parameter names. The output layer shares the weights
/// of the token embedding.
public final class Gpt extends Layer implements Forward {
  /// Standard deviation of the initial weights, as in OpenAI's code.
  private static final double DEVIATION = 0.02;

  private final int context;
  private final Embedding tokens;
  private final Tensor table;
  private final Tensor noBias;
  private final Embedding places;
  private final Dropout dropout;
  private final LayerList<GptBlock> blocks;
  private final LayerNorm norm;

  /// Creates an untrained model.
  public Gpt(GptOptions options, RandomGenerator random) {
    context = options.context();
    tokens = child("wte", new Embedding(options.vocabulary(), options.size(), random));
    table = Objects.requireNonNull(tokens.namedParameters().get("weight"));
    noBias = Tensor.zeros(options.vocabulary());
    places = child("wpe", new Embedding(context, options.size(), random));
    dropout = child("drop", new Dropout(options.dropout(), random));
    blocks = child("h", LayerList.of(options.layers(), _ -> new GptBlock(options, random)));
    norm = child("ln_f", new LayerNorm(options.size()));
    namedParameters().forEach((name, parameter) -> initialize(name, parameter, random));
  }

  private static void initialize(String name, Tensor parameter, RandomGenerator random) {
    if (parameter.shape().rank() == 2) {
      Initializers.normal(parameter, 0, DEVIATION, random);
    } else if (name.endsWith(".bias")) {
      Initializers.constant(parameter, 0);
    }
  }

  /// Creates a model with the given weights. Their shapes determine the model's sizes. Accepts a
  /// `state_dict` of GPT-2 from Hugging Face's transformers, with or without the head, or one from
  /// nanoGPT.
  ///
  /// @param heads number of attention heads, which the shapes do not determine; GPT-2 has one per
  ///     64 values of the embedding
  /// @throws IllegalArgumentException if the weights belong to another model
  public static Gpt of(StateDict weights, int heads) {
    Map<String, Tensor> own = own(weights);
    Tensor tokens = own.get("wte.weight");
    Tensor places = own.get("wpe.weight");
    if (tokens == null || places == null) {
      throw new IllegalArgumentException(
          "not the weights of a GPT-2: wte.weight or wpe.weight is missing");
    }
    long layers = own.keySet().stream().filter(name -> name.endsWith(".ln_1.weight")).count();
    GptOptions options =
        new GptOptions(
            tokens.shape().size(0),
            places.shape().size(0),
            tokens.shape().size(1),
            Math.toIntExact(layers),
            heads,
            0);
    Gpt gpt = new Gpt(options, new SplittableRandom(0));
    gpt.load(new StateDict(own));
    return gpt;
  }

  /// Renames the weights to this class's parameter names, and transposes them if necessary. Drops
  /// the masks, which are not weights, and the head, which is the token embedding.
  private static Map<String, Tensor> own(StateDict weights) {
    Map<String, Tensor> own = new LinkedHashMap<>();
    weights
        .tensors()
        .forEach(
            (name, tensor) -> {
              boolean isMask = name.endsWith(".attn.bias") || name.endsWith(".attn.masked_bias");
              if (!isMask && !name.equals("lm_head.weight")) {
                own.put(name.replaceFirst("^transformer\\.", ""), tensor);
              }
            });
    Tensor first = own.get("h.0.attn.c_attn.weight");
    boolean isTransposed =
        first != null && first.shape().rank() == 2 && first.shape().size(0) < first.shape().size(1);
    if (isTransposed) {
      own.replaceAll(
          (name, tensor) ->
              name.matches("h\\..*\\.c_[a-z]+\\.weight") ? tensor.transpose(0, 1) : tensor);
    }
    return own;
  }

  /// Maps token ids, int64 `[n, places]`, to the scores `[n, places, vocabulary]` for the token
  /// that follows each of them.
  ///
  /// @throws ShapeException if `text` is not a matrix, or is longer than the context
  @Override
  public Tensor forward(Tensor text) {
    if (text.shape().rank() != 2 || text.shape().size(1) > context) {
      throw new ShapeException(
          "gpt", "tokens %s are not of the shape [n, up to %d]".formatted(text.shape(), context));
    }
    Tensor numbers = Tensor.arange(text.shape().size(1));
    Tensor x = dropout.forward(tokens.forward(text).add(places.forward(numbers)));
    Tensor mask = Attention.causalMask(text.shape().size(1), text.shape().size(1));
    for (GptBlock block : blocks) {
      x = block.forward(x, mask);
    }
    return norm.forward(x).linear(table, noBias);
  }
}
