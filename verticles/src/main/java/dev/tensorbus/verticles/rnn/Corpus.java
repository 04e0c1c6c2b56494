// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.rnn;

import dev.tensorbus.models.data.DataException;
import dev.tensorbus.models.text.MadeUpText;
import dev.tensorbus.models.text.Texts;
import dev.tensorbus.models.text.TokenBatches;
import dev.tensorbus.models.text.Vocabulary;
import dev.tensorbus.verticles.Ranks;
import dev.tensorbus.verticles.Role;
import dev.tensorbus.verticles.ServerSettings;
import dev.tensorbus.verticles.UsageException;
import dev.tensorbus.verticles.WorkerOptions;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;

/// The texts of a run.
///
/// @param vocabulary the words of the training text
/// @param training the word indices of the training text
/// @param test the word indices of the held-out text
/// @param source describes the source of the texts, for the user
record Corpus(Vocabulary vocabulary, int[] training, int[] test, String source) {
  private static final int MADE_UP_SENTENCES = 200;
  private static final int HELD_OUT = 10;

  /// Returns the texts named in the options, or a generated text.
  ///
  /// @throws UsageException if a text cannot be read or is too short
  static Corpus of(WorkerOptions options) {
    try {
      Corpus corpus = read(options);
      Hyperparameters sizes = Hyperparameters.of(options);
      corpus.batches(corpus.share(0, trainers(options)), sizes);
      corpus.batches(corpus.test, sizes);
      return corpus;
    } catch (DataException e) {
      throw new UsageException(Objects.requireNonNull(e.getMessage()));
    }
  }

  private static Corpus read(WorkerOptions options) {
    Optional<Path> data = options.path(RnnSettings.DATA);
    List<String> words =
        data.map(Texts::read)
            .orElseGet(
                () -> MadeUpText.write(MADE_UP_SENTENCES, new SplittableRandom(options.seed())));
    Optional<Path> test = options.path(RnnSettings.TEST);
    int end = test.isPresent() ? words.size() : words.size() - words.size() / HELD_OUT;
    List<String> training = words.subList(0, end);
    List<String> heldOut = test.map(Texts::read).orElse(words.subList(end, words.size()));
    Vocabulary vocabulary = Vocabulary.of(training);
    return new Corpus(
        vocabulary,
        vocabulary.encode(training),
        vocabulary.encode(heldOut),
        data.map(file -> "words of " + file).orElse("generated words (--data FILE for a text)"));
  }

  private static int trainers(WorkerOptions options) {
    return ServerSettings.isOn(options) ? Ranks.of(options).names(Role.TRAINER).size() : 1;
  }

  /// Returns one trainer's part of the training text.
  ///
  /// @param index the index of the trainer, from 0
  int[] share(int index, int trainers) {
    int length = training.length / trainers;
    return Arrays.copyOfRange(training, index * length, (index + 1) * length);
  }

  /// Splits one of the texts into batches.
  TokenBatches batches(int[] text, Hyperparameters sizes) {
    return new TokenBatches(text, sizes.batchSize(), sizes.bptt());
  }
}
