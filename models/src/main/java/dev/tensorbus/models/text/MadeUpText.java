// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.text;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/// Generates a text without any input data: random sentences from a small grammar with eight words.
///
/// In a sentence such as `the small cat sees a dog`, each word depends on earlier words. A model
/// with memory can therefore predict better than a model that only counts words.
public final class MadeUpText {
  private static final double CHANCE = 0.5;

  private MadeUpText() {}

  /// Generates `count` sentences, each followed by [Vocabulary#END]. Generators with equal seeds
  /// yield equal texts.
  public static List<String> write(int count, RandomGenerator random) {
    List<String> words = new ArrayList<>();
    for (int sentence = 0; sentence < count; sentence++) {
      writeSentence(words, random);
    }
    return words;
  }

  private static void writeSentence(List<String> words, RandomGenerator random) {
    String subject = writeNoun(words, random);
    if (random.nextDouble() < CHANCE) {
      words.add("sleeps");
    } else {
      // The verb depends on the subject.
      words.add(subject.equals("cat") ? "sees" : "chases");
      writeNoun(words, random);
    }
    words.add(Vocabulary.END);
  }

  private static String writeNoun(List<String> words, RandomGenerator random) {
    words.add(random.nextDouble() < CHANCE ? "the" : "a");
    if (random.nextDouble() < CHANCE) {
      words.add("small");
    }
    String noun = random.nextDouble() < CHANCE ? "cat" : "dog";
    words.add(noun);
    return noun;
  }
}
