// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.autograd.OnnxException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.file.ProtoWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Files that are damaged, or made to do damage, are refused with one line.
final class DamagedModelTest {
  private static final int INT64 = 7;
  private static final int FLOAT = 1;

  @TempDir private Path folder;

  /// A file and what is said of it.
  record Case(String name, byte[] bytes, String message) {
    @Override
    public String toString() {
      return name;
    }
  }

  /// A model: `y = x · w + b`. Its parts may be replaced.
  private static final class Model {
    private long operatorSet = 17;
    private Consumer<ProtoWriter> weight = tensor("w", FLOAT, floats(6), 2, 3);
    private Consumer<ProtoWriter> bias = tensor("b", FLOAT, floats(3), 3);
    private Consumer<ProtoWriter> product = node("MatMul", List.of("x", "w"), "p");
    private Consumer<ProtoWriter> sum = node("Add", List.of("p", "b"), "y");
    private String output = "y";
    private Consumer<ProtoWriter> more = graph -> {};

    byte[] bytes() {
      return new ProtoWriter()
          .number(1, 8)
          .message(7, this::graph)
          .message(8, set -> set.text(1, "").number(2, operatorSet))
          .toByteArray();
    }

    private void graph(ProtoWriter graph) {
      graph.message(1, product).message(1, sum).message(5, weight).message(5, bias);
      graph.message(11, input -> input.text(1, "x")).message(12, y -> y.text(1, output));
      more.accept(graph);
    }

    static byte[] with(Consumer<Model> change) {
      Model model = new Model();
      change.accept(model);
      return model.bytes();
    }
  }

  private static byte[] floats(int count) {
    return new byte[count * Float.BYTES];
  }

  private static byte[] longs(long... values) {
    ByteBuffer bytes =
        ByteBuffer.allocate(values.length * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asLongBuffer().put(values);
    return bytes.array();
  }

  private static Consumer<ProtoWriter> tensor(String name, int type, byte[] raw, long... sizes) {
    return writer -> {
      Arrays.stream(sizes).forEach(size -> writer.number(1, size));
      writer.number(2, type).text(8, name).raw(9, raw);
    };
  }

  private static Consumer<ProtoWriter> external(Map<String, String> place, long... sizes) {
    return writer -> {
      Arrays.stream(sizes).forEach(size -> writer.number(1, size));
      writer.number(2, FLOAT).text(8, "w").number(14, 1);
      place.forEach((key, value) -> writer.message(13, pair -> pair.text(1, key).text(2, value)));
    };
  }

  private static Consumer<ProtoWriter> node(String operator, List<String> inputs, String output) {
    return writer -> {
      inputs.forEach(input -> writer.text(1, input));
      writer.text(2, output).text(3, "the " + operator).text(4, operator);
    };
  }

  static Stream<Case> cases() {
    List<Case> cases = new ArrayList<>();
    cut(cases);
    structure(cases);
    tensors(cases);
    files(cases);
    operators(cases);
    return cases.stream();
  }

  private static void add(List<Case> cases, String name, Consumer<Model> change, String message) {
    cases.add(new Case(name, Model.with(change), message));
  }

  private static void cut(List<Case> cases) {
    byte[] good = new Model().bytes();
    for (int i = 1; i <= 12; i++) {
      int length = good.length * i / 13;
      cases.add(new Case("cut at " + length, Arrays.copyOf(good, length), ""));
    }
    cases.add(new Case("empty", new byte[0], "it has no graph"));
    cases.add(new Case("text", "no model at all".getBytes(StandardCharsets.UTF_8), ""));
    byte[] long7 = {0x3a, (byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, 7};
    cases.add(
        new Case(
            "a length beyond the end",
            long7,
            "field 7 claims to have 2147483647 bytes, but only 0 follow"));
    byte[] negative = new byte[12];
    Arrays.fill(negative, (byte) 0xff);
    negative[0] = 0x3a;
    negative[10] = 1;
    cases.add(
        new Case(
            "a negative length", negative, "field 7 claims to have 18446744073709551615 bytes"));
    cases.add(
        new Case(
            "an endless integer",
            new byte[] {8, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1},
            "an integer does not end"));
    cases.add(new Case("a group", new byte[] {0x3b, 0x3c}, "unknown wire type 3"));
    cases.add(
        new Case(
            "a graph that is a number",
            new byte[] {0x38, 1},
            "field 7 has wire type 0; expected 2"));
    cases.add(
        new Case(
            "a name that is not UTF-8",
            new ProtoWriter()
                .message(7, g -> g.message(5, t -> t.raw(8, new byte[] {-1})))
                .toByteArray(),
            "field 8 is not UTF-8"));
  }

  private static void structure(List<Case> cases) {
    add(
        cases,
        "operator set 12",
        m -> m.operatorSet = 12,
        "it has operator set 12; expected 13 to 20");
    add(
        cases,
        "operator set 21",
        m -> m.operatorSet = 21,
        "it has operator set 21; expected 13 to 20");
    add(
        cases,
        "a cycle",
        m -> m.product = node("MatMul", List.of("y", "w"), "p"),
        "node the MatMul uses the value \"y\", which nothing before it defines");
    add(
        cases,
        "a node that uses itself",
        m -> m.sum = node("Add", List.of("y", "b"), "y"),
        "node the Add uses the value \"y\"");
    add(
        cases,
        "a value that is missing",
        m -> m.sum = node("Add", List.of("p", "c"), "y"),
        "node the Add uses the value \"c\"");
    add(
        cases,
        "an output that is missing",
        m -> m.output = "z",
        "the list of outputs uses the value \"z\"");
    add(
        cases,
        "a value computed twice",
        m -> m.sum = node("Add", List.of("p", "b"), "p"),
        "two values are named \"p\"");
    add(
        cases,
        "a weight computed again",
        m -> m.sum = node("Add", List.of("p", "b"), "w"),
        "two values are named \"w\"");
    add(cases, "two weights of one name", m -> m.bias = m.weight, "two tensors are named \"w\"");
    add(
        cases,
        "a node without an operator",
        m -> m.sum = writer -> writer.text(2, "y"),
        "node \"\" has no operator or no output");
    add(
        cases,
        "a node without an output",
        m -> m.sum = writer -> writer.text(4, "Add"),
        "node \"\" has no operator or no output");
    add(
        cases,
        "an unknown operator",
        m -> m.sum = node("Conjure", List.of("p"), "y"),
        "operator Conjure of node the Conjure is not supported");
    add(
        cases,
        "an operator of another domain",
        m ->
            m.sum =
                writer -> writer.text(1, "p").text(2, "y").text(4, "Add").text(7, "com.example"),
        "operator com.example.Add of node y is not supported");
    add(
        cases,
        "a subgraph",
        m -> m.sum = writer -> writer.text(1, "p").text(2, "y").text(4, "If"),
        "operator If of node y is not supported");
    add(
        cases,
        "sparse tensors",
        m -> m.more = graph -> graph.raw(15, new byte[0]),
        "it has sparse tensors");
    add(
        cases,
        "a name of many lines",
        m -> m.sum = node("Add\nmore", List.of("p"), "y"),
        "operator Add?more of node the Add?more is not supported");
    add(
        cases,
        "a name with Unicode's separators and marks",
        m -> m.sum = node("A\u2028\u2029\u0085\u202eb", List.of("p"), "y"),
        "operator A????b of node the A????b is not supported");
    add(
        cases,
        "a tensor without a name",
        m -> m.bias = tensor("", FLOAT, floats(3), 3),
        "a tensor or an input has no name");
    add(
        cases,
        "names that dots tell apart",
        m -> {
          m.bias = tensor("w.b", FLOAT, floats(3), 3);
          m.more = graph -> graph.message(5, tensor("w_b", FLOAT, floats(3), 3));
          m.sum = node("MatMul", List.of("w.b", "w_b"), "y");
        },
        "two tensors are named \"w_b\", with underscores instead of dots");
    add(
        cases,
        "a name of a megabyte",
        m -> m.sum = node("A".repeat(1 << 20), List.of("p"), "y"),
        "operator AAAA");
  }

  private static void tensors(List<Case> cases) {
    add(
        cases,
        "too few values",
        m -> m.weight = tensor("w", FLOAT, floats(5), 2, 3),
        "tensor \"w\" has 20 bytes of values; its type FLOAT and sizes [2, 3] need 24");
    add(
        cases,
        "too many values",
        m -> m.weight = tensor("w", FLOAT, floats(7), 2, 3),
        "tensor \"w\" has 28 bytes of values");
    add(
        cases,
        "a fraction of a value",
        m -> m.weight = tensor("w", FLOAT, new byte[23], 2, 3),
        "tensor \"w\" has 23 bytes of values");
    add(
        cases,
        "no values",
        m -> m.weight = writer -> writer.number(1, 2).number(2, FLOAT).text(8, "w"),
        "tensor \"w\" has 0 bytes of values");
    add(
        cases,
        "a billion values",
        m -> m.weight = tensor("w", FLOAT, floats(6), 1L << 30),
        "tensor \"w\" has 24 bytes of values; its type FLOAT and sizes [1073741824] need 4294967296");
    add(
        cases,
        "a negative size",
        m -> m.weight = tensor("w", FLOAT, floats(6), -2, -3),
        "tensor \"w\" has the sizes [-2, -3]");
    add(
        cases,
        "sizes whose product overflows an int",
        m -> m.weight = tensor("w", FLOAT, floats(6), 1 << 20, 1 << 20),
        "tensor \"w\" has the sizes [1048576, 1048576]");
    add(
        cases,
        "sizes whose product overflows a long",
        m -> m.weight = tensor("w", FLOAT, floats(6), 1 << 30, 1 << 30, 1 << 30),
        "tensor \"w\" has the sizes");
    add(
        cases,
        "a size beyond an int",
        m -> m.weight = tensor("w", FLOAT, floats(6), 1L << 40),
        "tensor \"w\" has the sizes [1099511627776]");
    add(
        cases,
        "strings",
        m -> m.weight = tensor("w", 8, floats(6), 2, 3),
        "tensor \"w\" has type 8 of ONNX's TensorProto.DataType");
    add(
        cases,
        "an unknown type",
        m -> m.weight = tensor("w", 99, floats(6), 2, 3),
        "tensor \"w\" has type 99 of ONNX's TensorProto.DataType");
    add(
        cases,
        "floats that are listed as integers",
        m -> m.weight = writer -> writer.number(1, 1).number(2, FLOAT).text(8, "w").number(7, 1),
        "tensor \"w\" lists its values as int64, which are not FLOAT");
  }

  private static void files(List<Case> cases) {
    external(
        cases,
        "a file outside",
        Map.of("location", "../secret.bin"),
        "is in \"../secret.bin\", which is not a file in the model's folder; copy it there");
    external(
        cases,
        "an absolute path",
        Map.of("location", "/etc/passwd"),
        "is in \"/etc/passwd\", which is not a file in the model's folder");
    external(
        cases,
        "a link to the outside",
        Map.of("location", "link.bin"),
        "is in \"link.bin\", which is not a file in the model's folder");
    external(
        cases,
        "a folder",
        Map.of("location", "."),
        "is in \".\", which is not a file in the model's folder");
    external(
        cases, "no location", Map.of(), "is in \"\", which is not a file in the model's folder");
    external(
        cases,
        "a missing file",
        Map.of("location", "none.bin"),
        "is in the file \"none.bin\", which cannot be read");
    external(
        cases,
        "an offset beyond the end",
        Map.of("location", "data.bin", "offset", "4096"),
        "needs 24 bytes, and claims 24 at offset 4096 of data.bin, which has 24");
    external(
        cases,
        "a negative offset",
        Map.of("location", "data.bin", "offset", "-8"),
        "has the external offset \"-8\"");
    external(
        cases,
        "another length",
        Map.of("location", "data.bin", "length", "12"),
        "needs 24 bytes, and claims 12 at offset 0 of data.bin, which has 24");
    external(
        cases,
        "an endless length",
        Map.of("location", "data.bin", "length", "99999999999999999999"),
        "has the external length \"99999999999999999999\"");
    cases.add(
        new Case(
            "more than the file has",
            Model.with(m -> m.weight = external(Map.of("location", "data.bin"), 1 << 28)),
            "needs 1073741824 bytes, and claims 1073741824 at offset 0 of data.bin, which has 24"));
    cases.add(
        new Case(
            "two tensors of the same bytes",
            Model.with(
                m -> {
                  m.weight = external(Map.of("location", "data.bin"), 2, 3);
                  m.more = graph -> graph.message(5, external(Map.of("location", "data.bin"), 6));
                }),
            "tensor \"w\" and others claim more bytes of data.bin than it has"));
  }

  private static void external(
      List<Case> cases, String name, Map<String, String> place, String message) {
    add(cases, name, m -> m.weight = external(place, 2, 3), "tensor \"w\" " + message);
  }

  /// What only a forward pass can see.
  private static void operators(List<Case> cases) {
    add(
        cases,
        "a weight of another shape",
        m -> m.weight = tensor("w", FLOAT, floats(6), 3, 2),
        "node the MatMul (MatMul): matmul: [1, 2] cannot multiply [3, 2]");
    add(
        cases,
        "too few inputs",
        m -> m.sum = node("Add", List.of("p"), "y"),
        "node the Add (Add): input 1 is missing");
    add(
        cases,
        "an attribute of another type",
        m ->
            m.sum =
                writer ->
                    writer
                        .text(1, "p")
                        .text(2, "y")
                        .text(4, "Softmax")
                        .message(5, a -> a.text(1, "axis").text(4, "one").number(20, 3)),
        "node y (Softmax): attribute axis is one; expected a Long");
    add(
        cases,
        "a result that is not computed",
        m -> {
          m.product = node -> node.text(1, "x").text(2, "p").text(2, "mask").text(4, "Dropout");
          m.sum = node("Clip", List.of("p", "mask"), "y");
        },
        "node the Clip (Clip): the value mask is not computed");
    sized(
        cases,
        "a result of many gigabytes",
        "Expand",
        longs(1 << 20, 1 << 20, 3),
        "a result of [1048576, 1048576, 3] has more than 2^28 values");
    sized(
        cases,
        "a tile of many gigabytes",
        "Tile",
        longs(1 << 20, 1 << 20),
        "a result of [1048576, 1048576, 3] has more than 2^28 values");
    sized(cases, "a negative result", "Expand", longs(-5), "node the Expand (Expand)");
    sized(
        cases,
        "a reshape of other values",
        "Reshape",
        longs(7, -1),
        "node the Reshape (Reshape): reshape: [1, 3] holds 3 values");
    sized(cases, "a slice of nothing", "Squeeze", longs(9), "node the Squeeze (Squeeze)");
  }

  private static void sized(
      List<Case> cases, String name, String operator, byte[] sizes, String message) {
    add(
        cases,
        name,
        m -> {
          m.bias = tensor("b", INT64, sizes, sizes.length / Long.BYTES);
          m.sum = node(operator, List.of("p", "b"), "y");
        },
        message);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void isRefusedWithOneLine(Case damaged) throws IOException {
    Path models = Files.createDirectory(folder.resolve("models"));
    Files.write(folder.resolve("secret.bin"), floats(6));
    Files.write(models.resolve("data.bin"), floats(6));
    Files.createSymbolicLink(models.resolve("link.bin"), Path.of("../secret.bin"));
    Path file = Files.write(models.resolve("model.onnx"), damaged.bytes());
    assertThatThrownBy(() -> OnnxModel.load(file).forward(Tensor.ones(1, 2)))
        .isInstanceOf(OnnxException.class)
        .message()
        .contains(damaged.message())
        .hasLineCount(1)
        .hasSizeLessThan(600)
        .matches("(?s)(cannot load .*model.onnx: .*|node .* \\(.*\\): .*)");
  }

  @Test
  void thereAreMoreThanFifty() {
    assertThat(cases()).hasSizeGreaterThan(50);
  }

  @Test
  void theModelIsGoodUnlessItIsDamaged() throws IOException {
    Path file = Files.write(folder.resolve("model.onnx"), new Model().bytes());
    assertThat(OnnxModel.load(file).forward(Tensor.ones(1, 2)).values()).containsExactly(0, 0, 0);
  }

  @Test
  void aNameWhoseDotNamesNoChildHasAnUnderscore() throws IOException {
    byte[] bytes =
        Model.with(
            m -> {
              m.bias = tensor("w.b", FLOAT, floats(3), 3);
              m.sum = node("Add", List.of("p", "w.b"), "y");
            });
    OnnxModel model = OnnxModel.load(Files.write(folder.resolve("model.onnx"), bytes));
    assertThat(model.namedParameters().keySet()).containsExactly("w", "w_b");
  }

  @Test
  void aResultWithoutANameIsNoInputThatIsAbsent() throws IOException {
    byte[] bytes =
        Model.with(
            m -> {
              m.weight = tensor("w", INT64, longs(2), 1);
              m.product =
                  node -> node.text(1, "x").text(1, "w").text(2, "").text(2, "i").text(4, "TopK");
              m.sum = node("Clip", List.of("i", "", "w"), "y");
            });
    OnnxModel model = OnnxModel.load(Files.write(folder.resolve("model.onnx"), bytes));
    assertThat(model.forward(Tensor.ones(1, 2)).longs()).containsExactly(0, 1);
  }

  @Test
  void aNodeOfManyInputsIsRead() throws IOException {
    int count = 1 << 14;
    byte[] bytes =
        Model.with(
            m -> {
              List<String> inputs = IntStream.range(0, count).mapToObj(i -> "t" + i).toList();
              m.sum = node("Sum", inputs, "y").andThen(node -> node.text(2, "unused"));
              m.more = graph -> scalars(graph, count);
            });
    OnnxModel model = OnnxModel.load(Files.write(folder.resolve("model.onnx"), bytes), "y");
    assertThat(model.forwardAll(List.of()).getFirst().item()).isZero();
  }

  private static void scalars(ProtoWriter graph, int count) {
    for (int i = 0; i < count; i++) {
      graph.message(5, tensor("t" + i, FLOAT, floats(1)));
    }
  }

  @Test
  void aMissingFileIsRefused() {
    Path file = folder.resolve("none.onnx");
    assertThatThrownBy(() -> OnnxModel.load(file))
        .isInstanceOf(OnnxException.class)
        .hasMessage("cannot load " + file + ": there is no such file");
  }

  /// Whatever byte changes, there is a model or an exception of ours.
  @Test
  void noChangedByteBreaksTheReader() throws IOException {
    SplittableRandom random = new SplittableRandom(Long.getLong("seed", 1));
    Path file = folder.resolve("model.onnx");
    byte[] good = Files.readAllBytes(OnnxModelTest.resource("classifier.onnx"));
    for (int i = 0; i < 500; i++) {
      byte[] bytes = good.clone();
      for (int change = 0; change <= i % 3; change++) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      Files.write(file, bytes);
      try {
        OnnxModel.load(file, "label", "probabilities").forwardAll(List.of(Tensor.ones(2, 4)));
      } catch (OnnxException e) {
        assertThat(e.getMessage()).hasLineCount(1);
      }
    }
  }
}
