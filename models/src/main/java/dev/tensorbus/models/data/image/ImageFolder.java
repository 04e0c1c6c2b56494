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

/// Images in a folder that has a folder for each class, such as `flowers/rose/17.png`. Classes are
/// numbered by their names' order. After torchvision's `ImageFolder`.
///
/// A file is decoded when its example is asked for, so a loader should fetch ahead. Images lie in
/// their class's folder or below it, and links are followed. Files are images by the ends of their
/// names. Names that begin with a point are left out, such as `.ipynb_checkpoints`.
public final class ImageFolder implements Dataset<Example> {
  /// Ends of names that are read.
  private static final Set<String> READABLE =
      Stream.of(ImageIO.getReaderFileSuffixes())
          .filter(suffix -> !suffix.isBlank())
          .map(suffix -> suffix.toLowerCase(Locale.ROOT))
          .collect(toUnmodifiableSet());

  /// Those that torchvision takes for images. They are not left out in silence.
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
  /// @throws DataException if there is no such folder, no class in it, a class without an image, or
  ///     an image of a format that no reader knows
  public static ImageFolder of(Path folder, ImageReadMode mode) {
    List<Path> folders = list(folder).stream().filter(Files::isDirectory).toList();
    if (folders.isEmpty()) {
      throw new DataException(folder + ": has no folders; make one for the images of each class");
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
        folder + ": cannot be listed (" + cause + "); give a folder with a folder for each class",
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
          path + ": no reader knows ." + suffix + "; convert it to PNG or JPEG, or add a plug-in");
    }
    if (!Files.isRegularFile(path)) {
      throw new DataException(path + ": is no file, or a link that leads to none; remove it");
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

  /// The names of the classes, by their numbers.
  public List<String> classes() {
    return classes;
  }

  /// The file of an example.
  public Path file(int index) {
    return images.get(index).file();
  }

  /// The class of an example, without decoding its image.
  public int label(int index) {
    return images.get(index).label();
  }

  @Override
  public int size() {
    return images.size();
  }

  /// Reads an image.
  ///
  /// @throws DataException as [ImageFile#read] does
  @Override
  public Example get(int index) {
    return new Example(ImageFile.read(file(index), mode), label(index));
  }
}
