// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data.npy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.models.data.DataException;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Against files that NumPy wrote, see `npy/npy.py` in the test resources.
class NpyTest {
  @TempDir private Path folder = Path.of("");
  private Path file = Path.of("");

  @BeforeEach
  void nameFile() {
    file = folder.resolve("values.npy");
  }

  private static Path numpy(String name) {
    try {
      return Path.of(
          Objects.requireNonNull(NpyTest.class.getResource("/npy/" + name + ".npy")).toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void assertHolds(Tensor tensor, DType type, Object values, int... sizes) {
    assertThat(tensor.dtype()).isEqualTo(type);
    assertThat(tensor.shape()).isEqualTo(Shape.of(sizes));
    assertThat(tensor.heap().array()).isEqualTo(values);
  }

  @Test
  void readsTheTypesThatTensorsHold() {
    float[] floats = {0.5f, -1.25f, 3e38f, Float.NaN, Float.POSITIVE_INFINITY, -0.0f};
    assertHolds(Npy.read(numpy("float32")), DType.FLOAT32, floats, 2, 3);
    double[] doubles = {0.1, -2.5e300};
    assertHolds(Npy.read(numpy("float64")), DType.FLOAT64, doubles, 2);
    long[] longs = {Long.MIN_VALUE, Long.MAX_VALUE};
    assertHolds(Npy.read(numpy("int64")), DType.INT64, longs, 2, 1);
    boolean[] truths = {true, false, true};
    assertHolds(Npy.read(numpy("bool")), DType.BOOL, truths, 3);
  }

  @Test
  void readsSmallerWholeNumbersAsInt64() {
    long[] bytes = {0, 127, 128, 255};
    assertHolds(Npy.read(numpy("uint8")), DType.INT64, bytes, 2, 2);
    long[] ints = {Integer.MIN_VALUE, Integer.MAX_VALUE, 7};
    assertHolds(Npy.read(numpy("int32")), DType.INT64, ints, 3);
    assertHolds(Npy.read(numpy("int32_big_endian")), DType.INT64, ints, 3);
  }

  @Test
  void readsFloat16AsFloat32() {
    float[] floats = {1, -2, 65504, 0x1p-24f, Float.POSITIVE_INFINITY, Float.NaN, -0f, 0.33325195f};
    assertHolds(Npy.read(numpy("float16")), DType.FLOAT32, floats, 8);
    assertHolds(Npy.read(numpy("float16_big_endian")), DType.FLOAT32, floats, 8);
  }

  @Test
  void readsTheOtherByteOrder() {
    Tensor little = Npy.read(numpy("float32"));
    assertHolds(Npy.read(numpy("float32_big_endian")), DType.FLOAT32, little.values(), 2, 3);
  }

  @Test
  void readsASingleValueAndNone() {
    assertHolds(Npy.read(numpy("scalar")), DType.FLOAT32, new float[] {42});
    assertHolds(Npy.read(numpy("empty")), DType.FLOAT32, new float[0], 0, 3);
  }

  @Test
  void readsFortransOrderOfAxes() {
    float[] values = new float[24];
    for (int i = 0; i < values.length; i++) {
      values[i] = i;
    }
    assertHolds(Npy.read(numpy("fortran")), DType.FLOAT32, values, 2, 3, 4);
  }

  @ParameterizedTest
  @ValueSource(strings = {"version2", "version3"})
  void readsLaterVersions(String name) {
    assertHolds(Npy.read(numpy(name)), DType.FLOAT32, new float[] {0, 1, 2}, 3);
  }

  @ParameterizedTest
  @ValueSource(strings = {"float32", "float64", "int64", "bool", "scalar", "empty"})
  void writesTheSameBytesAsNumpy(String name) throws IOException {
    Npy.write(file, Npy.read(numpy(name)));
    assertThat(file).hasSameBinaryContentAs(numpy(name));
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).as("no draft is left").containsExactly(file);
    }
  }

  @Test
  void readsWhatItWroteBeyondOneBuffer() {
    long[] longs = new long[100_003];
    Arrays.setAll(longs, i -> i * 0x9e3779b97f4a7c15L);
    Npy.write(file, Tensor.ofLongs(longs));
    assertHolds(Npy.read(file), DType.INT64, longs, longs.length);
  }

  @Test
  void writesOverAnOldFileAndSaysWhereItCannot() {
    Npy.write(file, Tensor.of(1, 2));
    Npy.write(file, Tensor.of(3));
    assertHolds(Npy.read(file), DType.FLOAT32, new float[] {3}, 1);
    Path nowhere = folder.resolve("missing/values.npy");
    assertThatExceptionOfType(DataException.class)
        .isThrownBy(() -> Npy.write(nowhere, Tensor.of(1)))
        .withMessageStartingWith(nowhere + ": cannot be written (java.nio.file.NoSuchFile")
        .withMessageEndingWith("); check the folder and its free space");
    int[] sizes = new int[65];
    Arrays.fill(sizes, 1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Npy.write(file, Tensor.ones(sizes)))
        .withMessage("npy: the tensor has 65 axes; NumPy supports at most 64");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Npy.write(file, Tensor.of(1).to(DType.BFLOAT16)))
        .withMessage("npy: NumPy has no bfloat16; convert the tensor with to(DType.FLOAT32)");
  }

  @Test
  void refusesTypesThatTensorsDoNotHold() {
    assertFails(
        numpy("objects"),
        ": contains pickled objects, which could execute code when read; save numbers instead");
    assertFails(
        numpy("records"),
        ": contains records of several fields; save each field as a separate file");
    assertFails(
        numpy("complex64"),
        ": contains values of the type '<c8'; save float16, float32, float64, int64, int32, uint8"
            + " or"
            + " bool, such as array.astype('float32')");
  }

  @Test
  void everyCutIsADataException() throws IOException {
    for (String name : new String[] {"float32", "version2", "version3"}) {
      byte[] whole = Files.readAllBytes(numpy(name));
      for (int length = 0; length < whole.length; length++) {
        Files.write(file, Arrays.copyOf(whole, length));
        assertThatExceptionOfType(DataException.class)
            .as("%s of %s bytes", length, whole.length)
            .isThrownBy(() -> Npy.read(file))
            .withMessageStartingWith(file + ": ");
      }
    }
  }

  @Test
  void saysWhereAFileEnds() throws IOException {
    byte[] whole = Files.readAllBytes(numpy("float32"));
    Files.write(file, Arrays.copyOf(whole, 131));
    assertFails(
        file, ": has 3 bytes of values, but its shape [2, 3] needs 24; save or download it again");
    Files.write(file, Arrays.copyOf(whole, 153));
    assertFails(
        file, ": has 25 bytes of values, but its shape [2, 3] needs 24; save or download it again");
    Files.write(file, Arrays.copyOf(whole, 20));
    assertFails(file, ": ends within its header; save or download it again");
  }

  @Test
  void refusesAnotherKindOfFile() throws IOException {
    Files.write(file, new byte[] {'P', 'K', 3, 4, 0, 0, 0, 0});
    assertFails(
        file,
        ": starts with \"50 4b 03 04 00 00\", but an npy file starts with \"93 4e 55 4d 50 59\";"
            + " use a file that numpy.save wrote");
    Files.write(file, npy(4, ""));
    assertFails(file, ": has version 4.0; expected 1.0, 2.0 or 3.0");
    assertThatExceptionOfType(DataException.class)
        .isThrownBy(() -> Npy.read(folder))
        .withMessageStartingWith(folder + ": cannot be read (java.io.IOException")
        .withMessageEndingWith("); check that it is a readable file");
  }

  @Test
  void aWrongHeaderAllocatesNothing() throws IOException {
    Files.write(file, npy(1, header("<f8", "(60000, 30000)")));
    assertFails(
        file,
        ": has 0 bytes of values, but its shape [60000, 30000] needs 14400000000;"
            + " save or download it again");
    Files.write(file, npy(1, header("<f8", "(60000, 60000)")));
    assertFails(
        file, ": declares the shape [60000, 60000], more than an array can hold; save it in parts");
    Files.write(file, npy(1, header("<f8", "(99999999999,)")));
    assertFails(
        file, ": declares a size of 99999999999, more than an array can hold; save it in parts");
    ByteBuffer long2 = ByteBuffer.wrap(npy(2, header("<f8", "()"))).order(ByteOrder.LITTLE_ENDIAN);
    Files.write(file, long2.putInt(8, -1).array());
    assertFails(file, ": has a header of 4294967295 bytes, more than NumPy reads; save it again");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "garbage | found 'garbage', expected '{'",
        "%!? | it is not a Python dictionary",
        "[] | found '[', expected '{'",
        "{} | descr, fortran_order or shape is missing",
        "{'descr': '<f4', 'shape': (1,)} | descr, fortran_order or shape is missing",
        "{'descr': '<f4', 'descr': '<f4'} | the key 'descr' occurs twice",
        "{'descr': '<f4', 'size': 3} | the key 'size' is unknown",
        "{'descr' '<f4'} | found ''<f4'', expected ':'",
        "{'descr': f4} | found 'f4', expected a quoted string",
        "{'descr': '<f4' | found '', expected ','",
        "{'descr': '<f4', | found '', expected a quoted string",
        "{'descr': '<f4 | it is not a Python dictionary",
        "{'fortran_order': 1} | fortran_order is 1; expected True or False",
        "{'shape': 3} | found '3', expected '('",
        "{'shape': (3)} | the shape is a number; expected (3,)",
        "{'shape': (3 4)} | a comma is missing in the shape",
        "{'shape': (,)} | the shape has the invalid size ','",
        "{'shape': (-3,)} | it is not a Python dictionary",
        "{'shape': (3L,)} | the shape has the invalid size '3L'",
        "{'shape': (03,)} | the shape has the invalid size '03'",
        "{'shape': (3, | the shape has the invalid size ''",
        "{'shape': __import__('os')} | found '__import__', expected '('",
      })
  void refusesADamagedHeader(String header, String problem) throws IOException {
    Files.write(file, npy(1, header));
    assertFails(file, ": the header is damaged: " + problem + "; save or download it again");
  }

  @Test
  void refusesWhatFollowsTheDictionary() throws IOException {
    Files.write(file, npy(1, header("<f4", "()") + " {}"));
    assertFails(
        file, ": the header is damaged: text follows the dictionary; save or download it again");
  }

  @Test
  void takesAnyOrderOfKeysAndBothQuotes() throws IOException {
    String header = "{\"shape\":(1,1),'fortran_order':False,\"descr\":\"|u1\"}";
    byte[] start = npy(3, header);
    byte[] whole = Arrays.copyOf(start, start.length + 1);
    whole[start.length] = 9;
    Files.write(file, whole);
    assertHolds(Npy.read(file), DType.INT64, new long[] {9}, 1, 1);
  }

  private static String header(String description, String shape) {
    return "{'descr': '%s', 'fortran_order': False, 'shape': %s, }".formatted(description, shape);
  }

  /// A file without values.
  private static byte[] npy(int version, String header) {
    byte[] text = header.getBytes(StandardCharsets.UTF_8);
    ByteBuffer bytes = ByteBuffer.allocate(12 + text.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.put(Npy.MAGIC).put((byte) version).put((byte) 0);
    if (version == 1) {
      bytes.putShort((short) text.length);
    } else {
      bytes.putInt(text.length);
    }
    return Arrays.copyOf(bytes.put(text).array(), bytes.position());
  }

  private static void assertFails(Path file, String message) {
    assertThatExceptionOfType(DataException.class)
        .isThrownBy(() -> Npy.read(file))
        .withMessage(file + message);
  }
}
