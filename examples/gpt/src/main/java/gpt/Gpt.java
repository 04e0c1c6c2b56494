// SPDX-License-Identifier: Apache-2.0
package gpt;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.distributions.Categorical;
import dev.tensorbus.models.data.Batch;
import dev.tensorbus.models.data.DataLoader;
import dev.tensorbus.models.text.Characters;
import dev.tensorbus.models.text.TokenWindows;
import dev.tensorbus.nn.Embedding;
import dev.tensorbus.nn.Evaluation;
import dev.tensorbus.nn.Forward;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.LayerList;
import dev.tensorbus.nn.Linear;
import dev.tensorbus.nn.functional.Attention;
import dev.tensorbus.nn.loss.CrossEntropyLoss;
import dev.tensorbus.nn.normalization.LayerNorm;
import dev.tensorbus.nn.transformer.TransformerEncoderLayer;
import dev.tensorbus.nn.transformer.TransformerOptions;
import dev.tensorbus.optim.AdamW;
import dev.tensorbus.optim.training.Trainer;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.parallel.DistributedDataParallel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;

/// Trains a small GPT on the characters of a text, following Radford et al., "Language Models are
/// Unsupervised Multitask Learners" (2019). Every worker has a copy and trains it on its share of
/// the text; each step averages the gradients of all copies.
public final class Gpt extends Layer implements Forward {
  private static final int CONTEXT = 64;
  private final Embedding characters;
  private final Embedding places;
  private final LayerList<TransformerEncoderLayer> blocks;
  private final LayerNorm norm;
  private final Linear scores;

  public Gpt(int vocabulary, int size, Random random) {
    var options = TransformerOptions.of(size, 4).withFeedforward(4 * size).withNormFirst();
    characters = child("characters", new Embedding(vocabulary, size, random));
    places = child("places", new Embedding(CONTEXT, size, random));
    blocks = child("blocks", LayerList.of(2, _ -> new TransformerEncoderLayer(options, random)));
    norm = child("norm", new LayerNorm(size));
    scores = child("scores", new Linear(size, vocabulary, random));
  }

  /// Returns the scores of all possible next characters for each character of `text`. The shape of
  /// `text` is `[n, length]`; the shape of the scores is `[n, vocabulary, length]`.
  @Override
  public Tensor forward(Tensor text) {
    Tensor x = characters.forward(text).add(places.forward(Tensor.arange(CONTEXT)));
    for (var block : blocks) {
      x = block.forward(x, Attention.causalMask(CONTEXT, CONTEXT));
    }
    return scores.forward(norm.forward(x)).transpose(1, 2);
  }

  public static void main(String[] args) throws IOException {
    String text = Files.readString(Path.of(args[0]));
    Rpc.run(rpc -> train(rpc, text, Characters.of(text)));
  }

  private static void train(Rpc rpc, String text, Characters known) {
    var windows = TokenWindows.of(known.encode(text), CONTEXT);
    var batches =
        DataLoader.of(windows, 16, Batch::concatenate)
            .shuffled(1)
            .shard(rpc.self().id(), rpc.worldSize());
    var gpt = DistributedDataParallel.of(rpc, new Gpt(known.size(), 64, new Random(1)));
    Trainer.of(gpt, new AdamW(0.003), new CrossEntropyLoss()).fit(batches, 1);
    if (rpc.self().id() == 0) {
      Tensor start = known.encode(text.substring(0, CONTEXT));
      System.out.println("sample: " + known.decode(sample(gpt.layer(), start, 300)));
    }
  }

  /// Returns `start` followed by `length` generated characters.
  private static Tensor sample(Gpt gpt, Tensor start, int length) {
    var random = new Random(2);
    Tensor text = start.unsqueeze(0);
    for (int i = 0; i < length; i++) {
      Tensor seen = text.slice(1, i, i + CONTEXT);
      Tensor scores = Evaluation.call(() -> gpt.forward(seen)).select(2, CONTEXT - 1);
      Tensor next = Categorical.ofLogits(scores).sample(random);
      text = Tensor.concatenate(List.of(text, next.reshape(1, 1)), 1);
    }
    return text;
  }
}
