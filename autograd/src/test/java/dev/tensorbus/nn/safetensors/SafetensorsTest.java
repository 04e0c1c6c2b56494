// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.safetensors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.StateDict;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Files that are read, written and refused.
final class SafetensorsTest {
  @TempDir private Path folder;

  @Test
  void whatPythonWroteIsReadBitForBit() throws IOException {
    assertThat(TorchFile.describe(Safetensors.read(golden())))
        .containsExactlyElementsOf(TorchFile.describe(TorchFile.tensors()));
  }

  @Test
  void theFileIsTheOneThatPythonWrites() throws IOException {
    Path file = folder.resolve("model.safetensors");
    Safetensors.write(file, TorchFile.tensors());
    assertThat(file).hasSameBinaryContentAs(golden());
  }

  @Test
  void pythonReadsBitForBitWhatIsWrittenHere() throws IOException, InterruptedException {
    Path file = folder.resolve("model.safetensors");
    Safetensors.write(file, TorchFile.tensors());
    assertThat(TorchFile.readByPython(file))
        .containsExactlyElementsOf(TorchFile.describe(TorchFile.tensors()));
  }

  @Test
  void aTensorLargerThanTheBufferComesBackWhole() {
    float[] values = new float[200_000];
    for (int i = 0; i < values.length; i++) {
      values[i] = i;
    }
    Path file = folder.resolve("large.safetensors");
    Safetensors.write(file, Map.of("x", Tensor.of(Shape.of(2, 100_000), values)));
    assertThat(Safetensors.read(file).get("x").values()).containsExactly(values);
  }

  @Test
  void noTensorsAreAFileToo() {
    Path file = folder.resolve("none.safetensors");
    Safetensors.write(file, Map.of());
    assertThat(Safetensors.read(file)).isEmpty();
  }

  @Test
  void writingReplacesAFileAndLeavesNothingElse() throws IOException {
    Path file = folder.resolve("model.safetensors");
    Safetensors.write(file, Map.of("old", Tensor.scalar(1)));
    Safetensors.write(file, Map.of("new", Tensor.scalar(2)));
    assertThat(Safetensors.read(file)).containsOnlyKeys("new");
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).containsExactly(file);
    }
  }

  @Test
  void aFileThatCannotBeWrittenLeavesTheOldOne() throws IOException {
    Path file = folder.resolve("model.safetensors");
    Safetensors.write(file, Map.of("old", Tensor.scalar(1)));
    Map<String, Tensor> wrong = new LinkedHashMap<>();
    wrong.put(HeaderReader.METADATA, Tensor.scalar(1));
    assertThatThrownBy(() -> Safetensors.write(file, wrong))
        .isInstanceOf(SafetensorsException.class)
        .hasMessageContaining("cannot be written")
        .hasMessageContaining("Duplicate field '__metadata__'");
    assertThat(Safetensors.read(file)).containsOnlyKeys("old");
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).containsExactly(file);
    }
  }

  @Test
  void aFileThatIsNotThereIsNamed() {
    Path file = folder.resolve("absent.safetensors");
    assertThatThrownBy(() -> Safetensors.read(file))
        .isInstanceOf(SafetensorsException.class)
        .hasMessage(
            "%s: cannot be read (java.nio.file.NoSuchFileException: %s);".formatted(file, file)
                + " check that it is a readable file");
  }

  @Test
  void aDamagedLengthIsRefused() {
    refused(new byte[3], "3 bytes are too few for a safetensors file");
    refused(
        bytes(20, "{}", 0),
        "the header claims to have 20 bytes, but the file has 10 (the format allows 100000000)");
    refused(
        bytes(-1, "{}", 0),
        "the header claims to have 18446744073709551615 bytes, but the file has 10 (the"
            + " format allows 100000000)");
  }

  @Test
  void aHeaderThatIsNoneIsRefused() {
    refused(file("[]", 0), "the header is not a JSON object");
    refused(file("{\"x\": 1}", 0), "x is not a JSON object");
    refused(file("{} {}", 0), "the header has data after its JSON object");
    refused(file("{\"x\": {}}", 0), "x lacks dtype, shape, or the two data_offsets");
    refused(
        file(entry("x", "F32", "[]", "[0]"), 4), "x lacks dtype, shape, or the two data_offsets");
    refused(file("{\"x\": {\"type\": 1}}", 0), "x has an unknown field \"type\"");
    refused(
        file(entry("x", "F32", "7", "[0, 4]"), 4),
        "x's shape is not an array of non-negative integers");
    refused(
        file(entry("x", "F32", "[-1]", "[0, 4]"), 4),
        "x's shape is not an array of non-negative integers");
    refused(
        file(entry("x", "F32", "[1.5]", "[0, 4]"), 4),
        "x's shape is not an array of non-negative integers");
  }

  @Test
  void aHeaderThatIsNoJsonIsRefused() {
    assertThatThrownBy(() -> Safetensors.read(saved(file("{\"x\": ", 0))))
        .isInstanceOf(SafetensorsException.class)
        .hasMessageContaining("the header is not JSON (");
    assertThatThrownBy(() -> Safetensors.read(saved(file("{\"x\": " + "[".repeat(5000), 0))))
        .isInstanceOf(SafetensorsException.class);
    String twice = "\"x\": {\"dtype\": \"F32\", \"shape\": [], \"data_offsets\": [0, 4]}";
    refused(
        file("{" + twice + ", " + twice + "}", 4), "the header is not JSON (Duplicate field 'x')");
  }

  @Test
  void valuesOfFloat16BecomeFloat32() {
    short[] halves = {0x3c00, (short) 0xc000, 0x7bff, 1, 0x7c00, 0x7e00, (short) 0x8000, 0x3555};
    ByteBuffer bytes = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
    for (short half : halves) {
      bytes.putShort(half);
    }
    Tensor read = read(entry("x", "F16", "[2, 4]", "[0, 16]"), bytes).get("x");
    assertThat(read.shape()).isEqualTo(Shape.of(2, 4));
    assertThat(read.values())
        .containsExactly(
            1, -2, 65504, 0x1p-24f, Float.POSITIVE_INFINITY, Float.NaN, -0f, 0.33325195f);
  }

  @Test
  void smallerIntegersBecomeInt64() {
    ByteBuffer bytes = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
    bytes.put((byte) -1).put((byte) 127).putShort((short) -2).putInt(Integer.MIN_VALUE);
    assertThat(read(entry("x", "I8", "[8]", "[0, 8]"), bytes).get("x").longs())
        .containsExactly(-1, 127, -2, -1, 0, 0, 0, -128);
    assertThat(read(entry("x", "U8", "[8]", "[0, 8]"), bytes).get("x").longs())
        .containsExactly(255, 127, 254, 255, 0, 0, 0, 128);
    assertThat(read(entry("x", "I16", "[4]", "[0, 8]"), bytes).get("x").longs())
        .containsExactly(0x7fff, -2, 0, Short.MIN_VALUE);
    assertThat(read(entry("x", "I32", "[2]", "[0, 8]"), bytes).get("x").longs())
        .containsExactly((-2 << 16) | 0x7fff, Integer.MIN_VALUE);
  }

  private Map<String, Tensor> read(String header, ByteBuffer data) {
    byte[] start = file(header, 0);
    return Safetensors.read(
        saved(
            ByteBuffer.allocate(start.length + data.capacity())
                .put(start)
                .put(data.array())
                .array()));
  }

  @Test
  void anUnknownTypeIsNamedWithWhatToDo() {
    Path file = saved(file(entry("x", "F8_E4M3", "[4]", "[0, 4]"), 4));
    assertThatThrownBy(() -> Safetensors.read(file))
        .isInstanceOf(SafetensorsException.class)
        .hasMessage(
            file
                + ": x has dtype F8_E4M3; expected one of [F64, I64, F32, I32, BF16, F16, I16,"
                + " BOOL, I8, U8]; convert it in Python, for example with tensor.to(torch.float32),"
                + " or leave it out: read(file, name -> !name.equals(\"x\"))");
  }

  @Test
  void aTensorIsReadBesideOthersOfUnknownTypesAndSizes() throws IOException {
    String header =
        "{"
            + inner("scale", "F8_E4M3", "[3]", "[0, 3]")
            + inner("packed", "F4", "[3]", "[3, 5]")
            + inner("x", "F32", "[]", "[5, 9]")
            + inner("table", "BOOL", "[65536, 32768]", "[9, 2147483657]")
            + inner("y", "F32", "[]", "[2147483657, 2147483661]").replace("},", "}}");
    Path file = saved(file(header, 9));
    try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
      sparse.setLength(8 + header.length() + 2_147_483_661L);
    }
    List<String> wanted = List.of("x", "y");
    assertThat(StateDict.read(file, wanted::contains).tensors()).containsOnlyKeys("x", "y");
    assertThatThrownBy(() -> Safetensors.read(file, "table"::equals))
        .isInstanceOf(SafetensorsException.class)
        .hasMessage(
            file
                + ": table has the shape [65536, 32768], more than an array can hold; save it in"
                + " parts, or leave it out");
  }

  private static String inner(String name, String dtype, String shape, String offsets) {
    String entry = entry(name, dtype, shape, offsets);
    return entry.substring(1, entry.length() - 1) + ",";
  }

  @Test
  void anUnknownTypeThatOverlapsIsRefused() {
    refused(
        file(entry("x", "F8_E4M3", "[4]", "[4, 2]"), 4),
        "x F8_E4M3 [4] is at bytes 4 to 2; expected 0 to 0");
  }

  @Test
  void tensorsThatDoNotFillTheDataAreRefused() {
    refused(
        file(entry("x", "F32", "[2]", "[0, 4]"), 4),
        "x F32 [2] is at bytes 0 to 4; expected 0 to 8");
    refused(
        file(entry("x", "F32", "[1]", "[0, 4]"), 5),
        "5 bytes follow the header, but its tensors need 4");
    refused(
        file(entry("x", "F32", "[1]", "[0, 4]"), 3),
        "3 bytes follow the header, but its tensors need 4");
    refused(
        file(entry("x", "F32", "[1]", "[4, 8]"), 8),
        "x F32 [1] is at bytes 4 to 8; expected 0 to 4");
    refused(
        file(entry("x", "F32", "[1]", "[8, 4]"), 8),
        "x F32 [1] is at bytes 8 to 4; expected 0 to 4");
    String x = entry("x", "F32", "[1]", "[0, 4]").replace("}}", "}, ");
    String overlapping = x + entry("y", "F32", "[1]", "[0, 4]").substring(1);
    refused(file(overlapping, 4), "y F32 [1] is at bytes 0 to 4; expected 4 to 8");
  }

  @Test
  void aShapeThatNoArrayHoldsIsRefusedBeforeItIsMade() {
    refused(
        file(entry("x", "F32", "[65536, 65536]", "[0, 17179869184]"), 4),
        "4 bytes follow the header, but its tensors need 17179869184");
    refused(
        file(entry("x", "F32", "[4294967296]", "[0, 4]"), 4),
        "x F32 [4294967296] is at bytes 0 to 4; expected 0 to 17179869184");
    refused(
        file(entry("x", "F32", "[4294967296, 4294967296]", "[0, 4]"), 4),
        "x has the shape [4294967296, 4294967296], more than a file can hold");
    refused(
        file(entry("x", "F32", "[500000000]", "[0, 2000000000]"), 4),
        "4 bytes follow the header, but its tensors need 2000000000");
  }

  private void refused(byte[] content, String problem) {
    Path file = saved(content);
    assertThatThrownBy(() -> Safetensors.read(file))
        .isInstanceOf(SafetensorsException.class)
        .hasMessage(file + ": " + problem + "; save or download it again");
  }

  private Path saved(byte[] content) {
    try {
      return Files.write(folder.resolve("damaged.safetensors"), content);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static String entry(String name, String dtype, String shape, String offsets) {
    return "{\"%s\": {\"dtype\": \"%s\", \"shape\": %s, \"data_offsets\": %s}}"
        .formatted(name, dtype, shape, offsets);
  }

  private static byte[] file(String header, int data) {
    return bytes(header.length(), header, data);
  }

  private static byte[] bytes(long length, String header, int data) {
    byte[] text = header.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(Long.BYTES + text.length + data)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(length)
        .put(text)
        .array();
  }

  private static Path golden() {
    return TorchFile.resource("safetensors.safetensors");
  }
}
