// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.digits;

import static java.util.stream.Collectors.joining;

import dev.tensorbus.models.data.DataException;
import dev.tensorbus.models.data.Idx;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Stream;

/// The MNIST handwritten digits (LeCun, Cortes, Burges). They are read from a folder that contains
/// the four files under their usual names, each plain or compressed with gzip. The images are
/// normalized, see [Digits].
public enum Mnist {
  /// The training set: 60,000 images.
  TRAIN("train"),
  /// The test set: 10,000 images by other writers.
  TEST("t10k");

  private final String images;
  private final String labels;

  Mnist(String prefix) {
    images = prefix + "-images-idx3-ubyte";
    labels = prefix + "-labels-idx1-ubyte";
  }

  /// Reads this set.
  ///
  /// @throws DataException if the folder or a file is missing or damaged, or does not contain
  ///     images of 28x28 pixels
  public Digits read(Path folder) {
    requireFolder(folder);
    Path imageFile = find(folder, images);
    Path labelFile = find(folder, labels);
    Idx pictures = pictures(imageFile);
    Idx digits = labels(labelFile);
    requireEqualCounts(imageFile, pictures.sizes()[0], labelFile, digits.sizes()[0]);
    return new Digits(pictures.values(), digits.values());
  }

  /// Checks that the files of this set exist and are complete, without loading them.
  ///
  /// @throws DataException if the folder or a file is missing or truncated, or has other contents
  public void check(Path folder) {
    requireFolder(folder);
    Path imageFile = find(folder, images);
    Path labelFile = find(folder, labels);
    int pictures = Idx.check(imageFile, Digits.SIDE, Digits.SIDE)[0];
    requirePictures(imageFile, pictures);
    requireEqualCounts(imageFile, pictures, labelFile, Idx.check(labelFile)[0]);
  }

  private static void requireFolder(Path folder) {
    if (!Files.isDirectory(folder)) {
      String found = Files.exists(folder) ? folder + " is not a folder" : "no folder " + folder;
      throw new DataException(found + "; " + expectation());
    }
  }

  private static Path find(Path folder, String name) {
    return Stream.of(name, name + ".gz")
        .map(folder::resolve)
        .filter(Files::exists)
        .findFirst()
        .orElseThrow(
            () -> new DataException("no " + name + "[.gz] in " + folder + "; " + expectation()));
  }

  private static String expectation() {
    return Arrays.stream(values())
        .flatMap(part -> Stream.of(part.images, part.labels))
        .map(name -> name + "[.gz]")
        .collect(joining(", ", "--data needs a folder with the four MNIST files: ", ""));
  }

  private static Idx pictures(Path file) {
    Idx pictures = Idx.read(file, Digits.SIDE, Digits.SIDE);
    requirePictures(file, pictures.sizes()[0]);
    return pictures;
  }

  private static void requirePictures(Path file, int count) {
    if (count == 0) {
      throw new DataException(file + ": contains no images; use a complete data set");
    }
  }

  private static Idx labels(Path file) {
    Idx digits = Idx.read(file);
    byte[] values = digits.values();
    for (int i = 0; i < values.length; i++) {
      if (values[i] < 0 || values[i] > 9) {
        throw new DataException(
            "%s: label %d of image %d is not a digit from 0 to 9; download the file again"
                .formatted(file, Byte.toUnsignedInt(values[i]), i));
      }
    }
    return digits;
  }

  private static void requireEqualCounts(Path imageFile, int images, Path labelFile, int labels) {
    if (images != labels) {
      throw new DataException(
          String.format(
              Locale.ROOT,
              "%s contains %,d images, but %s %,d labels; both must come from the same data set",
              imageFile,
              images,
              labelFile.getFileName(),
              labels));
    }
  }
}
