// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data.image;

import static dev.tensorbus.models.data.image.ImageFiles.image;
import static dev.tensorbus.models.data.image.ImageFiles.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.models.data.Batch;
import dev.tensorbus.models.data.DataException;
import dev.tensorbus.models.data.DataLoader;
import dev.tensorbus.models.data.Example;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImageFolderTest {
  @TempDir private Path folder = Path.of("");

  private Path add(String name, int colour) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    return write(file, image(BufferedImage.TYPE_INT_RGB, 2, colour, colour), "png");
  }

  private ImageFolder images() {
    return ImageFolder.of(folder, ImageReadMode.RGB);
  }

  @Test
  void eachFolderIsAClassAndBothAreSortedByName() throws IOException {
    add("rose/b.png", 0xff0000);
    add("rose/a.PNG", 0);
    add("iris/deep/down/c.png", 0xff);
    ImageFolder images = images();
    assertThat(images.classes()).containsExactly("iris", "rose");
    assertThat(IntStream.range(0, images.size()).map(images::label)).containsExactly(0, 1, 1);
    assertThat(images.file(1)).isEqualTo(folder.resolve("rose/a.PNG"));
    Example last = images.get(2);
    assertThat(last.label()).isEqualTo(1);
    assertThat(last.input().shape()).isEqualTo(Shape.of(3, 1, 2));
    assertThat(last.input().values()).containsExactly(1, 1, 0, 0, 0, 0);
    assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> images.get(3));
  }

  @Test
  void imagesAreReadInGreyIfAskedFor() throws IOException {
    add("rose/a.png", 0xffffff);
    Example grey = ImageFolder.of(folder, ImageReadMode.GRAY).get(0);
    assertThat(grey.input().shape()).isEqualTo(Shape.of(1, 1, 2));
  }

  @Test
  void aLoaderReadsImagesAhead() throws IOException {
    for (int i = 0; i < 20; i++) {
      add("class" + i % 2 + "/" + i + ".png", i);
    }
    int examples = 0;
    for (Batch batch : DataLoader.of(images(), 3, Batch::of).shuffled(1).prefetch(3)) {
      examples += batch.inputs().shape().size(0);
    }
    assertThat(examples).isEqualTo(20);
  }

  @Test
  void aDamagedImageIsFoundWhenItIsAskedFor() throws IOException {
    add("rose/a.png", 0);
    Path damaged = Files.writeString(folder.resolve("rose/b.png"), "no image");
    ImageFolder images = images();
    assertThat(images.get(0).label()).isZero();
    assertThatExceptionOfType(DataException.class)
        .isThrownBy(() -> images.get(1))
        .withMessageStartingWith(damaged + ": is not an image in a known format; ");
  }

  @Test
  void otherFilesAndHiddenOnesAreLeftOut() throws IOException {
    add("rose/a.png", 0);
    add("rose/._a.png", 0);
    add("rose/.ipynb_checkpoints/a.png", 0);
    add(".cache/b.png", 0);
    Files.writeString(folder.resolve("README"), "flowers");
    Files.writeString(folder.resolve("rose/notes.txt"), "red");
    Files.writeString(folder.resolve("rose/png"), "no point in the name");
    assertThat(images().classes()).containsExactly("rose");
    assertThat(images().size()).isEqualTo(1);
  }

  @Test
  void anImageThatNoReaderKnowsIsNotLeftOutInSilence() throws IOException {
    add("rose/a.png", 0);
    Path unknown = Files.writeString(folder.resolve("rose/b.webp"), "RIFF");
    assertFails(unknown, ": no reader supports .webp; convert it to PNG or JPEG, or add a plug-in");
  }

  @Test
  void linksAreFollowed() throws IOException {
    Path elsewhere = add("rose/a.png", 0);
    Files.createDirectories(folder.resolve("iris"));
    Files.createSymbolicLink(folder.resolve("iris/linked.png"), elsewhere);
    Files.createSymbolicLink(folder.resolve("tulip"), folder.resolve("rose"));
    assertThat(images().classes()).containsExactly("iris", "rose", "tulip");
    assertThat(images().get(0).label()).isZero();
  }

  @Test
  void linksThatLeadNowhereOrInACircleAreNamed() throws IOException {
    add("rose/a.png", 0);
    Path broken = folder.resolve("rose/broken.png");
    Files.createSymbolicLink(broken, folder.resolve("missing.png"));
    assertFails(broken, ": is not a regular file, or is a broken link; remove it");
    Files.delete(broken);
    Path circle = folder.resolve("rose/circle");
    Files.createSymbolicLink(circle, folder.resolve("rose"));
    assertThatExceptionOfType(DataException.class)
        .isThrownBy(this::images)
        .withMessageStartingWith(folder.resolve("rose") + ": cannot be listed (")
        .withMessageContaining("FileSystemLoopException: " + circle);
  }

  @Test
  void aFolderWithoutClassesOrImagesIsNamed() throws IOException {
    assertFails(folder, ": has no subfolders; create one for the images of each class");
    Files.createDirectory(folder.resolve("rose"));
    assertFails(
        folder.resolve("rose"),
        ": has no images, such as .png or .jpg; add some or remove the folder");
    Path missing = folder.resolve("missing");
    assertThatExceptionOfType(DataException.class)
        .isThrownBy(() -> ImageFolder.of(missing, ImageReadMode.RGB))
        .withMessage(
            "%s: cannot be listed (java.nio.file.NoSuchFileException: %<s); use a folder with a"
                    .formatted(missing)
                + " subfolder for each class");
  }

  private void assertFails(Path named, String message) {
    assertThatExceptionOfType(DataException.class)
        .isThrownBy(this::images)
        .withMessage(named + message);
  }
}
