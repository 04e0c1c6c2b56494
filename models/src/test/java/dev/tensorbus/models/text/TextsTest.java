// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import dev.tensorbus.models.data.DataException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TextsTest {
  @TempDir private Path folder = Path.of("");

  @Test
  void wordsStandBetweenBlanksAndEachLineEnds() throws IOException {
    Path file = Files.writeString(folder.resolve("text"), " The  cat \n\nsees\tit .\n");
    assertThat(Texts.read(file))
        .containsExactly("The", "cat", "<eos>", "<eos>", "sees", "it", ".", "<eos>");
  }

  @Test
  void whatIsNoTextIsNamed() throws IOException {
    Path blank = Files.writeString(folder.resolve("blank"), " \n\n");
    Path binary = Files.write(folder.resolve("binary"), new byte[] {(byte) 0xff, (byte) 0xfe, 0});
    Path missing = folder.resolve("missing");
    assertFails(blank, blank + ": contains no words; use a plain text file");
    assertFails(binary, binary + ": is not UTF-8; use a plain text file");
    assertFails(missing, missing + ": no such file; use a plain text file");
    assertFails(folder, folder + ": cannot be read: java.io.IOException: Is a directory");
  }

  private static void assertFails(Path file, String message) {
    assertThatExceptionOfType(DataException.class)
        .isThrownBy(() -> Texts.read(file))
        .withMessage(message);
  }

  @Test
  void wordsAreNumberedByAppearanceAndOthersAreUnknown() {
    Vocabulary vocabulary = Vocabulary.of(List.of("b", "a", "<eos>", "b"));
    assertThat(vocabulary.size()).isEqualTo(4);
    assertThat(vocabulary.encode(List.of("a", "b", "<eos>", "c"))).containsExactly(3, 2, 1, 0);
    assertThat(vocabulary.word(3)).isEqualTo("a");
  }

  @Test
  void theMadeUpTextHasTenWordsAndEqualSeedsMakeEqualOnes() {
    List<String> text = MadeUpText.write(100, new SplittableRandom(1));
    assertThat(MadeUpText.write(100, new SplittableRandom(1))).isEqualTo(text);
    assertThat(MadeUpText.write(100, new SplittableRandom(2))).isNotEqualTo(text);
    assertThat(new HashSet<>(text)).hasSize(9);
    assertThat(Vocabulary.of(text).size()).as("and <unk>").isEqualTo(10);
    assertThat(text.stream().filter(Vocabulary.END::equals)).hasSize(100);
  }

  @Test
  void theUnigramModelKnowsHowOftenAWordComes() {
    int[] text = {0, 0, 0, 0, 0, 0, 1};
    Unigram unigram = new Unigram(text, 3);
    assertThat(unigram.perplexity(new int[] {0})).isEqualTo(10 / 7.0, within(1e-12));
    assertThat(unigram.perplexity(new int[] {1, 2})).isEqualTo(Math.sqrt(5 * 10.0), within(1e-12));
  }
}
