// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data.image;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.models.data.DataException;
import dev.tensorbus.models.data.ReadBudget;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;
import javax.imageio.stream.MemoryCacheImageInputStream;

/// Reads images in the formats of `javax.imageio`: BMP, GIF, JPEG, PNG, TIFF, and formats of
/// plug-ins on the class path. Needs no display. Like torchvision's `read_image`.
public final class ImageFile {
  /// Maximum memory per pixel, in bytes: four decoded samples of two bytes, and three floats in the
  /// tensor.
  private static final int BYTES_PER_PIXEL = 4 * Short.BYTES + 3 * Float.BYTES;

  private ImageFile() {}

  /// Reads an image as float32 `[channels, height, width]`, with values from 0 (dark) to 1. Ignores
  /// transparency, colour profiles and the camera's orientation tag. If a file contains several
  /// images, reads the first one. Thread-safe.
  ///
  /// @throws DataException if the file cannot be read, is not an image, is truncated or damaged, or
  ///     announces more pixels than its [ReadBudget] allows
  public static Tensor read(Path file, ImageReadMode mode) {
    return mode.channelsOf(Pixels.of(file, decoded(file)));
  }

  private static BufferedImage decoded(Path file) {
    try (InputStream in = Files.newInputStream(file);
        ImageInputStream bytes = new MemoryCacheImageInputStream(in)) {
      Iterator<ImageReader> readers = ImageIO.getImageReaders(bytes);
      if (!readers.hasNext()) {
        throw new DataException(
            file + ": is not an image in a known format; convert it to PNG or JPEG, or remove it");
      }
      ImageReader reader = readers.next();
      try {
        // Skip the metadata: it is not needed, and compressed metadata may be very large.
        reader.setInput(bytes, true, true);
        return decoded(file, reader);
      } finally {
        reader.dispose();
      }
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  private static DataException unreadable(Path file, Exception cause) {
    return new DataException(
        file + ": cannot be read as an image (" + cause + "); download it again or remove it",
        cause);
  }

  private static BufferedImage decoded(Path file, ImageReader reader) {
    List<String> warnings = new ArrayList<>();
    reader.addIIOReadWarningListener((_, warning) -> warnings.add(warning));
    BufferedImage image;
    try {
      takePixels(file, reader.getWidth(0), reader.getHeight(0));
      takePixels(file, reader.getTileWidth(0), reader.getTileHeight(0));
      image = reader.read(0);
    } catch (DataException e) {
      throw e;
    } catch (OutOfMemoryError e) {
      // Some of the JDK's readers allocate whatever size a damaged file announces.
      throw new DataException(
          file + ": needs more memory than the heap has; download it again or remove it", e);
    } catch (IOException | RuntimeException e) {
      throw unreadable(file, e); // the JDK's readers throw exceptions of any kind on damaged files
    }
    if (warnings.stream().anyMatch(ImageFile::tellsOfAnEarlyEnd)) {
      throw new DataException(file + ": is truncated; download it again or remove it");
    }
    return image;
  }

  private static void takePixels(Path file, int width, int height) {
    ReadBudget.of(file).take((long) width * height, BYTES_PER_PIXEL);
  }

  /// Returns whether a warning from libjpeg or the JDK reports that the file ends early. In that
  /// case, the reader has filled the rest of the image with grey.
  private static boolean tellsOfAnEarlyEnd(String warning) {
    return warning.startsWith("Premature end") || warning.startsWith("Truncated File");
  }
}
