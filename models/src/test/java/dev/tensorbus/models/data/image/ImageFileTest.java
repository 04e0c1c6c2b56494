// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data.image;

import static dev.tensorbus.models.data.image.ImageFiles.encoded;
import static dev.tensorbus.models.data.image.ImageFiles.image;
import static dev.tensorbus.models.data.image.ImageFiles.pngHeader;
import static dev.tensorbus.models.data.image.ImageFiles.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.models.data.DataException;
import java.awt.Transparency;
import java.awt.color.ColorSpace;
import java.awt.image.BufferedImage;
import java.awt.image.ComponentColorModel;
import java.awt.image.DataBuffer;
import java.awt.image.IndexColorModel;
import java.awt.image.WritableRaster;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ImageFileTest {
  private static final int RED = 0xff0000;
  private static final int MIXED = 0x3366cc;

  @TempDir private Path folder = Path.of("");
  private Path file = Path.of("");

  @BeforeEach
  void nameFile() {
    file = folder.resolve("image");
  }

  @ParameterizedTest
  @ValueSource(strings = {"png", "bmp", "gif", "tiff"})
  void anImageIsChannelsRowsAndColumnsFromZeroToOne(String format) throws IOException {
    // Five rows: the JDK loses rows of lower GIF images whose rows are interlaced.
    int[] pixels = {0, RED, MIXED, 0xffffff, 0, 0, 0, 0, 0, 0};
    write(file, image(BufferedImage.TYPE_INT_RGB, 2, pixels), format);
    Tensor image = ImageFile.read(file, ImageReadMode.RGB);
    assertThat(image.shape()).isEqualTo(Shape.of(3, 5, 2));
    float[] red = {0, 1, 0x33 / 255f, 1, 0, 0, 0, 0, 0, 0};
    float[] green = {0, 0, 0x66 / 255f, 1, 0, 0, 0, 0, 0, 0};
    float[] blue = {0, 0, 0xcc / 255f, 1, 0, 0, 0, 0, 0, 0};
    assertThat(image.select(0, 0).values()).isEqualTo(red);
    assertThat(image.select(0, 1).values()).isEqualTo(green);
    assertThat(image.select(0, 2).values()).isEqualTo(blue);
  }

  @Test
  void aJpegIsReadAsWellAsItsCompressionAllows() throws IOException {
    int[] pixels = new int[16 * 8];
    Arrays.fill(pixels, MIXED);
    write(file, image(BufferedImage.TYPE_INT_RGB, 16, pixels), "jpg");
    Tensor image = ImageFile.read(file, ImageReadMode.RGB);
    assertThat(image.shape()).isEqualTo(Shape.of(3, 8, 16));
    assertThat(image.select(0, 0).mean().item()).isEqualTo(0x33 / 255f, within(0.01f));
    assertThat(image.select(0, 2).mean().item()).isEqualTo(0xcc / 255f, within(0.01f));
  }

  @Test
  void aGreyValueIsNotMadeBrighter() throws IOException {
    BufferedImage grey = new BufferedImage(2, 1, BufferedImage.TYPE_BYTE_GRAY);
    grey.getRaster().setPixels(0, 0, 2, 1, new int[] {51, 128});
    write(file, grey, "png");
    Tensor image = ImageFile.read(file, ImageReadMode.GRAY);
    assertThat(image.shape()).isEqualTo(Shape.of(1, 1, 2));
    assertThat(image.values()).containsExactly(51 / 255f, 128 / 255f);
    assertThat(ImageFile.read(file, ImageReadMode.RGB).values())
        .containsExactly(51 / 255f, 128 / 255f, 51 / 255f, 128 / 255f, 51 / 255f, 128 / 255f);
  }

  @Test
  void samplesOf16BitsKeepTheirPrecision() throws IOException {
    BufferedImage grey = new BufferedImage(2, 1, BufferedImage.TYPE_USHORT_GRAY);
    grey.getRaster().setPixels(0, 0, 2, 1, new int[] {1, 65535});
    write(file, grey, "png");
    assertThat(ImageFile.read(file, ImageReadMode.GRAY).values()).containsExactly(1 / 65535f, 1);
  }

  @Test
  void aPaletteOfFewGreysIsReadByItsColours() throws IOException {
    byte[] greys = {0, 85, (byte) 170, (byte) 255};
    BufferedImage indexed =
        new BufferedImage(
            4, 1, BufferedImage.TYPE_BYTE_BINARY, new IndexColorModel(2, 4, greys, greys, greys));
    WritableRaster raster = indexed.getRaster();
    raster.setPixels(0, 0, 4, 1, new int[] {3, 2, 1, 0});
    write(file, indexed, "png");
    float[] read = ImageFile.read(file, ImageReadMode.GRAY).values();
    assertThat(read).containsExactly(new float[] {1, 170 / 255f, 85 / 255f, 0}, within(1e-6f));
  }

  @Test
  void transparencyIsIgnored() throws IOException {
    write(file, image(BufferedImage.TYPE_INT_ARGB, 1, 0x80_ff_80_00), "png");
    assertThat(ImageFile.read(file, ImageReadMode.RGB).values()).containsExactly(1, 0x80 / 255f, 0);
  }

  @Test
  void aColouredImageIsReadInGreyByTheBrightnessOfItsColours() throws IOException {
    write(file, image(BufferedImage.TYPE_INT_RGB, 4, RED, 0xff00, 0xff, 0xffffff), "png");
    assertThat(ImageFile.read(file, ImageReadMode.GRAY).values())
        .containsExactly(new float[] {0.299f, 0.587f, 0.114f, 1}, within(1e-6f));
  }

  @ParameterizedTest
  @ValueSource(strings = {"png", "jpg", "bmp", "gif", "tiff"})
  void aFileThatIsCutOffIsReadWholeOrRefused(String format) throws IOException {
    byte[] whole = encoded(noise(1), format);
    Files.write(file, whole);
    float[] expected = ImageFile.read(file, ImageReadMode.RGB).values();
    int refused = 0;
    for (int length = 0; length < whole.length; length++) {
      Files.write(file, Arrays.copyOf(whole, length));
      try {
        assertThat(ImageFile.read(file, ImageReadMode.RGB).values())
            .as("%d of %d bytes", length, whole.length)
            .isEqualTo(expected);
      } catch (DataException e) {
        assertThat(e).hasMessageStartingWith(file + ": ");
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(whole.length * 9 / 10);
  }

  @ParameterizedTest
  @ValueSource(strings = {"png", "jpg", "bmp", "gif", "tiff"})
  void aDamagedFileIsReadOrRefusedWithItsName(String format) throws IOException {
    long seed = Long.getLong("seed", System.nanoTime());
    Random random = new Random(seed);
    byte[] whole = encoded(noise(2), format);
    for (int round = 0; round < 100; round++) {
      byte[] damaged = whole.clone();
      for (int i = 0; i <= round % 4; i++) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
      }
      Files.write(file, damaged);
      try {
        assertThat(ImageFile.read(file, ImageReadMode.RGB).shape().size(0)).isEqualTo(3);
      } catch (DataException e) {
        assertThat(e).as("seed %d, round %d", seed, round).hasMessageStartingWith(file + ": ");
      }
    }
  }

  private static BufferedImage noise(long seed) {
    Random random = new Random(seed);
    return image(BufferedImage.TYPE_INT_RGB, 9, random.ints(9 * 7, 0, 1 << 24).toArray());
  }

  @Test
  void samplesThatAreNoWholeNumbersAreRefused() throws IOException {
    var colours =
        new ComponentColorModel(
            ColorSpace.getInstance(ColorSpace.CS_GRAY),
            false,
            false,
            Transparency.OPAQUE,
            DataBuffer.TYPE_FLOAT);
    WritableRaster raster = colours.createCompatibleWritableRaster(2, 1);
    write(file, new BufferedImage(colours, raster, false, null), "tiff");
    assertFails(": has samples of more than 16 bits; convert it to 8 or 16 bits");
  }

  @ParameterizedTest
  @ValueSource(ints = {50_000, Integer.MAX_VALUE})
  void aBombIsRefusedBeforeItsPixelsAreAllocated(int side) throws IOException {
    Files.write(file, pngHeader(side, side));
    assertThatExceptionOfType(DataException.class)
        .isThrownBy(() -> ImageFile.read(file, ImageReadMode.RGB))
        .withMessageStartingWith(file + ": this file of 33 bytes needs at least ")
        .withMessageEndingWith("; use a smaller file, or raise -Xmx or -Dtensorbus.readLimit");
  }

  @Test
  void aLengthOfADamagedFileThatTheReaderBelievesIsRefused() throws IOException {
    // LZW, one strip of 2^31 - 1 bytes.
    int[][] fields = {
      {256, 3, 1, 8},
      {257, 3, 1, 8},
      {258, 3, 1, 8},
      {259, 3, 1, 5},
      {262, 3, 1, 1},
      {273, 4, 1, 8},
      {277, 3, 1, 1},
      {278, 3, 1, 8},
      {279, 4, 1, Integer.MAX_VALUE}
    };
    ByteBuffer tiff = ByteBuffer.allocate(14 + 12 * fields.length).order(ByteOrder.LITTLE_ENDIAN);
    tiff.put((byte) 'I').put((byte) 'I').putShort((short) 42).putInt(8);
    tiff.putShort((short) fields.length);
    for (int[] field : fields) {
      tiff.putShort((short) field[0]).putShort((short) field[1]).putInt(field[2]).putInt(field[3]);
    }
    Files.write(file, tiff.array());
    assertThatExceptionOfType(DataException.class)
        .isThrownBy(() -> ImageFile.read(file, ImageReadMode.GRAY))
        .withMessageStartingWith(file + ": ");
  }

  @Test
  void aFileThatIsNoImageIsNamed() throws IOException {
    Files.writeString(file, "<html>404</html>");
    assertFails(": is not an image in a known format; convert it to PNG or JPEG, or remove it");
    Files.write(file, new byte[0]);
    assertFails(": is not an image in a known format; convert it to PNG or JPEG, or remove it");
    Files.write(file, pngHeader(3, 3));
    assertThatExceptionOfType(DataException.class)
        .isThrownBy(() -> ImageFile.read(file, ImageReadMode.RGB))
        .withMessageStartingWith(file + ": cannot be read as an image (javax.imageio.IIO")
        .withMessageEndingWith("); download it again or remove it");
    Files.delete(file);
    assertFails(
        ": cannot be read as an image (java.nio.file.NoSuchFileException: "
            + file
            + "); download it again or remove it");
  }

  private void assertFails(String message) {
    assertThatExceptionOfType(DataException.class)
        .isThrownBy(() -> ImageFile.read(file, ImageReadMode.RGB))
        .withMessage(file + message);
  }
}
