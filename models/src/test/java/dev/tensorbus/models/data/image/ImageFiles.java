// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data.image;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32;
import javax.imageio.ImageIO;

/// Writes images, sound and forged.
final class ImageFiles {
  private ImageFiles() {}

  /// An image whose pixels are these, row by row, `0xRRGGBB` or with alpha.
  static BufferedImage image(int type, int width, int... pixels) {
    BufferedImage image = new BufferedImage(width, pixels.length / width, type);
    image.setRGB(0, 0, width, image.getHeight(), pixels, 0, width);
    return image;
  }

  static byte[] encoded(BufferedImage image, String format) throws IOException {
    var bytes = new ByteArrayOutputStream();
    if (!ImageIO.write(image, format, bytes)) {
      throw new IllegalArgumentException("no writer for " + format);
    }
    return bytes.toByteArray();
  }

  static Path write(Path file, BufferedImage image, String format) throws IOException {
    return Files.write(file, encoded(image, format));
  }

  /// The start of a PNG file that announces an 8 bit RGB image of this size.
  static byte[] pngHeader(int width, int height) {
    ByteBuffer header = ByteBuffer.allocate(33);
    header.put(new byte[] {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'});
    header.putInt(13).put("IHDR".getBytes(StandardCharsets.US_ASCII));
    header.putInt(width).putInt(height).put(new byte[] {8, 2, 0, 0, 0});
    CRC32 sum = new CRC32();
    sum.update(header.array(), 12, 17);
    return header.putInt((int) sum.getValue()).array();
  }
}
