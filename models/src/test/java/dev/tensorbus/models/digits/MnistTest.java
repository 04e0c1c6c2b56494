// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.digits;

import static dev.tensorbus.models.data.IdxFiles.idx;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tensorbus.models.data.DataException;
import dev.tensorbus.models.data.IdxFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MnistTest {
  private static final String EXPECTATION =
      "; --data needs a folder with the four MNIST files: train-images-idx3-ubyte[.gz],"
          + " train-labels-idx1-ubyte[.gz], t10k-images-idx3-ubyte[.gz],"
          + " t10k-labels-idx1-ubyte[.gz]";

  @TempDir private Path folder = Path.of("");

  @Test
  void readsBothParts() throws IOException {
    IdxFiles.writeMnist(folder, 12);
    for (Mnist part : Mnist.values()) {
      Digits digits = part.read(folder);
      assertThat(digits.size()).isEqualTo(12);
      assertThat(digits.label(11)).isEqualTo(1);
    }
  }

  @Test
  void readsTheRealThing() {
    Path mnist = sharedMnist();
    Digits train = Mnist.TRAIN.read(mnist);
    assertThat(train.size()).isEqualTo(60_000);
    assertThat(Mnist.TEST.read(mnist).size()).isEqualTo(10_000);
    assertThat(IntStream.range(0, 5).map(train::label)).containsExactly(5, 0, 4, 1, 9);
    assertThat(train.pixel(0, 5, 12)).isEqualTo(3);
  }

  /// `shared/data/mnist` beside this working directory or one above it, or `-Dmnist=FOLDER`.
  private static Path sharedMnist() {
    String given = System.getProperty("mnist");
    Path here = Path.of("").toAbsolutePath();
    Path found =
        Stream.iterate(here, above -> above != null, Path::getParent)
            .map(above -> above.resolve("shared/data/mnist"))
            .filter(Files::isDirectory)
            .findFirst()
            .orElse(here.resolve("no shared/data/mnist above"));
    Path mnist = given == null ? found : Path.of(given);
    assumeTrue(Files.isDirectory(mnist), () -> mnist + ": set -Dmnist=FOLDER to test on MNIST");
    return mnist;
  }

  @Test
  void saysThatTheFolderIsMissing() {
    Path missing = folder.resolve("x");
    assertFails(missing, "no folder " + missing + EXPECTATION);
  }

  @Test
  void saysThatTheFolderIsNone() throws IOException {
    Path file = Files.createFile(folder.resolve("x"));
    assertFails(file, file + " is not a folder" + EXPECTATION);
  }

  @Test
  void saysWhichFileIsMissing() throws IOException {
    IdxFiles.writeMnist(folder, 2);
    Files.delete(folder.resolve("train-labels-idx1-ubyte"));
    assertFails(folder, "no train-labels-idx1-ubyte[.gz] in " + folder + EXPECTATION);
  }

  @Test
  void refusesCountsThatDiffer() throws IOException {
    IdxFiles.writeMnist(folder, 2);
    Files.write(folder.resolve("train-labels-idx1-ubyte"), idx(new byte[1234], 1234));
    assertFails(
        folder,
        folder.resolve("train-images-idx3-ubyte")
            + " contains 2 images, but train-labels-idx1-ubyte 1,234 labels; both must come from"
            + " the same data set");
  }

  @Test
  void refusesALabelThatIsNoDigit() throws IOException {
    IdxFiles.writeMnist(folder, 2);
    Path labels = folder.resolve("train-labels-idx1-ubyte");
    Files.write(labels, idx(new byte[] {9, (byte) 200}, 2));
    assertReadFails(
        folder,
        labels + ": label 200 of image 1 is not a digit from 0 to 9; download the file again");
  }

  @Test
  void refusesPicturesOfAnotherSize() throws IOException {
    IdxFiles.writeMnist(folder, 2);
    Path pictures = folder.resolve("train-images-idx3-ubyte");
    Files.write(pictures, idx(new byte[2 * 32 * 32], 2, 32, 32));
    assertFails(
        folder,
        pictures
            + ": contains 2x32x32 values, not rows of 28x28; use a data set in MNIST's"
            + " format");
  }

  @Test
  void refusesAnEmptySet() throws IOException {
    IdxFiles.writeMnist(folder, 0);
    Path pictures = folder.resolve("train-images-idx3-ubyte");
    assertFails(folder, pictures + ": contains no images; use a complete data set");
  }

  @Test
  void checksWithoutReadingTheValues() throws IOException {
    IdxFiles.writeMnist(folder, 2);
    Path labels = folder.resolve("train-labels-idx1-ubyte");
    Files.write(labels, idx(new byte[] {9, (byte) 200}, 2));
    Mnist.TRAIN.check(folder);
    Files.delete(labels);
    Path packed = folder.resolve("train-labels-idx1-ubyte.gz");
    IdxFiles.writePacked(packed, idx(new byte[] {9, (byte) 200}, 2));
    Mnist.TRAIN.check(folder);
  }

  @Test
  void checksAFileOfSeveralPackedParts() throws IOException {
    IdxFiles.writeMnist(folder, 2);
    Path labels = folder.resolve("train-labels-idx1-ubyte");
    byte[] contents = Files.readAllBytes(labels);
    Files.delete(labels);
    Path first = folder.resolve("first");
    Path second = folder.resolve("second");
    IdxFiles.writePacked(first, Arrays.copyOf(contents, 9));
    IdxFiles.writePacked(second, Arrays.copyOfRange(contents, 9, contents.length));
    Path both = folder.resolve("train-labels-idx1-ubyte.gz");
    Files.write(both, Files.readAllBytes(first));
    Files.write(both, Files.readAllBytes(second), StandardOpenOption.APPEND);
    Mnist.TRAIN.check(folder);
  }

  @Test
  void saysWhichFileIsCutOffWhetherPackedOrNot() throws IOException {
    IdxFiles.writeMnist(folder, 2);
    Path pictures = folder.resolve("train-images-idx3-ubyte");
    byte[] contents = Files.readAllBytes(pictures);
    Files.write(pictures, Arrays.copyOf(contents, 1000));
    assertFails(folder, pictures + ": ends after 984 of 1,568 bytes; download the file again");
    Files.delete(pictures);
    Path packed = folder.resolve("train-images-idx3-ubyte.gz");
    IdxFiles.writePacked(packed, Arrays.copyOf(contents, 1000));
    assertFails(folder, packed + ": ends after 984 of 1,568 bytes; download the file again");
  }

  /// Checking says what reading says.
  private static void assertFails(Path folder, String message) {
    assertThatExceptionOfType(DataException.class)
        .isThrownBy(() -> Mnist.TRAIN.check(folder))
        .withMessage(message);
    assertReadFails(folder, message);
  }

  private static void assertReadFails(Path folder, String message) {
    assertThatExceptionOfType(DataException.class)
        .isThrownBy(() -> Mnist.TRAIN.read(folder))
        .withMessage(message);
  }
}
