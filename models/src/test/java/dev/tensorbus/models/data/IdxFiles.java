// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;

/// Writes files in MNIST's format, sound and damaged.
public final class IdxFiles {
  private IdxFiles() {}

  /// A file of unsigned bytes with these axes.
  public static byte[] idx(byte[] values, int... sizes) {
    ByteBuffer file = ByteBuffer.allocate(4 + 4 * sizes.length + values.length);
    file.putInt(0x0800 | sizes.length);
    for (int size : sizes) {
      file.putInt(size);
    }
    return file.put(values).array();
  }

  /// A folder with both parts of a data set: `count` blank pictures each, labelled 0, 1, 2, ….
  public static void writeMnist(Path folder, int count) throws IOException {
    byte[] labels = new byte[count];
    for (int i = 0; i < count; i++) {
      labels[i] = (byte) (i % 10);
    }
    for (String part : new String[] {"train", "t10k"}) {
      byte[] pictures = idx(new byte[count * 784], count, 28, 28);
      Files.write(folder.resolve(part + "-images-idx3-ubyte"), pictures);
      Files.write(folder.resolve(part + "-labels-idx1-ubyte"), idx(labels, count));
    }
  }

  public static void writePacked(Path file, byte[] contents) throws IOException {
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write(contents);
    }
  }
}
