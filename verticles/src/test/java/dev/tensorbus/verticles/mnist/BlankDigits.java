// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.mnist;

import dev.tensorbus.models.digits.Digits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;

/// A small data set in MNIST's format.
public final class BlankDigits {
  private static final int COUNT = 20;

  private BlankDigits() {}

  /// Writes a part of it, `train` or `t10k`: twenty blank pictures.
  public static void write(Path folder, String part) throws IOException {
    int side = Digits.SIDE;
    ByteBuffer images = ByteBuffer.allocate(16 + COUNT * side * side);
    images.putInt(0x803).putInt(COUNT).putInt(side).putInt(side);
    Files.write(folder.resolve(part + "-images-idx3-ubyte"), images.array());
    ByteBuffer labels = ByteBuffer.allocate(8 + COUNT).putInt(0x801).putInt(COUNT);
    Files.write(folder.resolve(part + "-labels-idx1-ubyte"), labels.array());
  }
}
