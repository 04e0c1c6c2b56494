// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.mnist;

import dev.tensorbus.models.digits.Digits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/// A small data set in MNIST's format.
public final class BlankDigits {
  private static final int COUNT = 20;

  private BlankDigits() {}

  /// Writes a part of it, `train` or `t10k`: twenty blank pictures.
  public static void write(Path folder, String part) throws IOException {
    write(folder, part, new byte[COUNT * Digits.SIDE * Digits.SIDE], new byte[COUNT]);
  }

  /// Writes twenty pictures of noise instead, with all labels.
  static void writeNoise(Path folder, String part, Random random) throws IOException {
    byte[] pixels = new byte[COUNT * Digits.SIDE * Digits.SIDE];
    random.nextBytes(pixels);
    byte[] labels = new byte[COUNT];
    for (int i = 0; i < COUNT; i++) {
      labels[i] = (byte) (i % 10);
    }
    write(folder, part, pixels, labels);
  }

  private static void write(Path folder, String part, byte[] pixels, byte[] classes)
      throws IOException {
    ByteBuffer images = ByteBuffer.allocate(16 + pixels.length);
    images.putInt(0x803).putInt(COUNT).putInt(Digits.SIDE).putInt(Digits.SIDE).put(pixels);
    Files.write(folder.resolve(part + "-images-idx3-ubyte"), images.array());
    ByteBuffer labels = ByteBuffer.allocate(8 + COUNT);
    labels.putInt(0x801).putInt(COUNT).put(classes);
    Files.write(folder.resolve(part + "-labels-idx1-ubyte"), labels.array());
  }
}
