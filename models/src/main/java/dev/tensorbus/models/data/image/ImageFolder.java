// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data.image;

import static java.util.stream.Collectors.toUnmodifiableSet;

import dev.tensorbus.models.data.DataException;
import dev.tensorbus.models.data.Dataset;
import dev.tensorbus.models.data.Example;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import javax.imageio.ImageIO;

/// A data set of images in a folder with one subfolder per class, such as `flowers/rose/17.png`.
/// Classes are numbered in the order of their names. Like torchvision's `ImageFolder`.
///
/// Files are decoded on request, so use a loader that prefetches. Includes images in nested folders
/// and follows links. Recognizes images by the suffixes of their names. Ignores names that start
/// with a dot, such as `.ipynb_checkpoints`.
public final class ImageFolder implements Dataset<Example> {
  /// Suffixes that the readers of `javax.imageio` support.
  private static final Set<String> READABLE =
      Stream.of(ImageIO.getReaderFileSuffixes())
          .filter(suffix -> !suffix.isBlank())
          .map(suffix -> suffix.toLowerCase(Locale.ROOT))
          .collect(toUnmodifiableSet());

  /// Suffixes that torchvision supports. A file with one of these suffixes is an error if no reader
  /// supports it.
  private static final Set<String> KNOWN =
      Set.of("jpg", "jpeg", "png", "ppm", "bmp", "pgm", "tif", "tiff", "webp");

  private final List<String> classes;
  private final List<ImagePath> images;
  private final ImageReadMode mode;

  private record ImagePath(Path file, int label) {}

  private ImageFolder(List<String> classes, List<ImagePath> images, ImageReadMode mode) {
    this.classes = classes;
    this.images = images;
    this.mode = mode;
  }

  /// Lists the images of a folder.
  ///
  /// @throws DataException if the folder does not exist or has no classes, a class has no images,
  ///     or no reader supports an image's format
  public static ImageFolder of(Path folder, ImageReadMode mode) {
    List<Path> folders = list(folder).stream().filter(Files::isDirectory).toList();
    if (folders.isEmpty()) {
      throw new DataException(
          folder + ": has no subfolders; create one for the images of each class");
    }
    List<String> classes = folders.stream().map(each -> each.getFileName().toString()).toList();
    List<ImagePath> images = new ArrayList<>();
    for (int label = 0; label < folders.size(); label++) {
      for (Path file : imagesIn(folders.get(label))) {
        images.add(new ImagePath(file, label));
      }
    }
    return new ImageFolder(classes, List.copyOf(images), mode);
  }

  private static List<Path> list(Path folder) {
    try (Stream<Path> found = Files.list(folder)) {
      return found.filter(path -> !isHidden(path)).sorted().toList();
    } catch (IOException | UncheckedIOException e) {
      throw notListed(folder, e);
    }
  }

  private static boolean isHidden(Path name) {
    return name.getFileName().toString().startsWith(".");
  }

  private static DataException notListed(Path folder, Exception cause) {
    return new DataException(
        folder + ": cannot be listed (" + cause + "); use a folder with a subfolder for each class",
        cause);
  }

  private static List<Path> imagesIn(Path folder) {
    List<Path> images;
    try (Stream<Path> found = Files.walk(folder, FileVisitOption.FOLLOW_LINKS)) {
      images = found.filter(file -> isImage(folder, file)).sorted().toList();
    } catch (IOException | UncheckedIOException e) {
      throw notListed(folder, e);
    }
    if (images.isEmpty()) {
      throw new DataException(
          folder + ": has no images, such as .png or .jpg; add some or remove the folder");
    }
    return images;
  }

  private static boolean isImage(Path folder, Path path) {
    String suffix = suffix(path.getFileName().toString());
    boolean isImage = READABLE.contains(suffix) || KNOWN.contains(suffix);
    if (!isImage || Files.isDirectory(path) || hasHiddenPart(folder.relativize(path))) {
      return false;
    }
    if (!READABLE.contains(suffix)) {
      throw new DataException(
          path
              + ": no reader supports ."
              + suffix
              + "; convert it to PNG or JPEG, or add a plug-in");
    }
    if (!Files.isRegularFile(path)) {
      throw new DataException(path + ": is not a regular file, or is a broken link; remove it");
    }
    return true;
  }

  private static String suffix(String name) {
    int point = name.lastIndexOf('.');
    return point < 0 ? "" : name.substring(point + 1).toLowerCase(Locale.ROOT);
  }

  private static boolean hasHiddenPart(Path path) {
    for (Path name : path) {
      if (isHidden(name)) {
        return true;
      }
    }
    return false;
  }

  /// Returns the names of the classes, in the order of their indices.
  public List<String> classes() {
    return classes;
  }

  /// Returns the file of an example.
  public Path file(int index) {
    return images.get(index).file();
  }

  /// Returns the class index of an example, without decoding the image.
  public int label(int index) {
    return images.get(index).label();
  }

  @Override
  public int size() {
    return images.size();
  }

  /// Reads and decodes an image.
  ///
  /// @throws DataException under the same conditions as [ImageFile#read]
  @Override
  public Example get(int index) {
    return new Example(ImageFile.read(file(index), mode), label(index));
  }
}
