// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.rnn;

import dev.tensorbus.autograd.NoGrad;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.distributions.Categorical;
import dev.tensorbus.models.text.TokenBatch;
import dev.tensorbus.models.text.TokenBatches;
import dev.tensorbus.models.text.Unigram;
import dev.tensorbus.models.text.Vocabulary;
import dev.tensorbus.nn.recurrent.Lstm;
import dev.tensorbus.optim.training.metric.Perplexity;
import dev.tensorbus.rpc.Progress;
import dev.tensorbus.verticles.WorkerOptions;
import java.util.SplittableRandom;
import java.util.StringJoiner;

/// Evaluates a model.
record RnnEvaluation(RecurrentModel model) {
  /// Returns the model's perplexity on a text that is read as `places` parallel segments.
  double perplexity(TokenBatches batches, int places) {
    model.eval();
    Perplexity perplexity = new Perplexity();
    Lstm.State hidden = model.initHidden(places);
    for (TokenBatch batch : batches) {
      RnnModel.Output output = forward(batch.inputs(), hidden);
      perplexity.add(batch.loss(output.decoded()).itemDouble(), batch.size());
      hidden = output.hidden();
    }
    model.train();
    return perplexity.compute();
  }

  /// Tells the user the perplexity at the end of a training, and generates a text.
  void report(double perplexity, Corpus corpus, WorkerOptions options, Progress progress) {
    int tokens = corpus.vocabulary().size();
    double unigram = new Unigram(corpus.training(), tokens).perplexity(corpus.test());
    progress.say(
        "held-out perplexity %.2f; unigram model %.2f, a factor of %.2f"
            .formatted(perplexity, unigram, unigram / perplexity));
    int words = options.whole(RnnSettings.SAMPLE);
    if (words > 0) {
      SplittableRandom random = new SplittableRandom(options.seed());
      progress.say("sample: " + sample(corpus.vocabulary(), words, random));
    }
  }

  /// Generates the given number of words with the model.
  String sample(Vocabulary vocabulary, int words, SplittableRandom random) {
    model.eval();
    Lstm.State hidden = model.initHidden(1);
    StringJoiner text = new StringJoiner(" ");
    int word = vocabulary.number(Vocabulary.END);
    for (int i = 0; i < words; i++) {
      RnnModel.Output output = forward(Tensor.ofLongs(word).unsqueeze(0), hidden);
      hidden = output.hidden();
      word = (int) Categorical.ofLogits(output.decoded().flatten(0)).sample(random).longs()[0];
      text.add(vocabulary.word(word));
    }
    model.train();
    return text.toString();
  }

  private RnnModel.Output forward(Tensor input, Lstm.State hidden) {
    return NoGrad.call(() -> model.forward(input, hidden));
  }
}
