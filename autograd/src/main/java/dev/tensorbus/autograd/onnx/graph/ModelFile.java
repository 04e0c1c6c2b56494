// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx.graph;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.file.AtomicFile;
import dev.tensorbus.autograd.file.ProtoWriter;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Writes a graph as an ONNX model.
public final class ModelFile {
  /// The version of the operator set. It belongs to ONNX 1.13 and model format 8. ONNX Runtime has
  /// no CUDA kernels for Equal, Pad and ReduceMax of later sets.
  private static final int OPERATOR_SET = 18;

  private static final int FORMAT = 8;
  private static final int EXTERNAL = 1;

  /// The alignment of values in a separate file, in bytes, so that readers can map them.
  private static final int ALIGNMENT = 4096;

  private ModelFile() {}

  /// Returns the model as one array, including the values.
  public static byte[] bytes(Graph graph) {
    return model(graph, (writer, tensor) -> writer.raw(9, TensorBytes.of(tensor)));
  }

  /// Writes the model, including the values.
  public static void write(Path file, Graph graph) throws IOException {
    AtomicFile.write(file, channel -> write(channel, bytes(graph)));
  }

  /// Writes the model, and all values to a separate file whose name is the model's with `.data`
  /// appended. For models of 2 GiB or more, and for readers that map the values into memory.
  public static void writeWithData(Path file, Graph graph) throws IOException {
    Path data = file.resolveSibling(file.getFileName() + ".data");
    AtomicFile.write(
        file,
        model ->
            AtomicFile.write(
                data,
                values -> {
                  write(model, writeValues(data.getFileName().toString(), values, graph));
                  Files.deleteIfExists(file); // an old model must not be read with new values
                }));
  }

  /// Writes the values and returns the model that refers to them.
  private static byte[] writeValues(String name, FileChannel file, Graph graph) throws IOException {
    OutputStream out = new BufferedOutputStream(Channels.newOutputStream(file));
    ExternalData external = new ExternalData(name, out);
    byte[] model = model(graph, external::place);
    if (external.failure != null) {
      throw external.failure;
    }
    out.flush();
    return model;
  }

  private static void write(FileChannel file, byte[] bytes) throws IOException {
    Channels.newOutputStream(file).write(bytes);
  }

  /// Writes the values of an initializer.
  @FunctionalInterface
  private interface ValueWriter {
    void write(ProtoWriter writer, Tensor tensor);
  }

  /// The separate file for values.
  private static final class ExternalData {
    private final String name;
    private final OutputStream out;
    private long length;
    private @Nullable IOException failure;

    ExternalData(String name, OutputStream out) {
      this.name = name;
      this.out = out;
    }

    /// Writes the values to the file and their location to the model. Field numbers of TensorProto:
    /// external_data 13 (pairs of key 1 and value 2), data_location 14.
    void place(ProtoWriter writer, Tensor tensor) {
      byte[] bytes = TensorBytes.of(tensor);
      long start = (length + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
      try {
        out.write(new byte[(int) (start - length)]);
        out.write(bytes);
      } catch (IOException e) {
        failure = e;
      }
      length = start + bytes.length;
      pair(writer, "location", name);
      pair(writer, "offset", Long.toString(start));
      pair(writer, "length", Integer.toString(bytes.length));
      writer.number(14, EXTERNAL);
    }

    private static void pair(ProtoWriter writer, String key, String value) {
      writer.message(13, pair -> pair.text(1, key).text(2, value));
    }
  }

  /// Returns a ModelProto. Field numbers: ir_version 1, producer_name 2, graph 7, opset_import 8
  /// (its version is 2).
  private static byte[] model(Graph graph, ValueWriter values) {
    return new ProtoWriter()
        .number(1, FORMAT)
        .text(2, "tensorbus")
        .message(7, writer -> graph(writer, graph, values))
        .message(8, set -> set.number(2, OPERATOR_SET))
        .toByteArray();
  }

  /// Writes a GraphProto. Field numbers: GraphProto node 1, name 2, initializer 5, input 11, output
  /// 12; TensorProto dims 1, data_type 2, name 8, raw_data 9.
  private static void graph(ProtoWriter writer, Graph graph, ValueWriter values) {
    graph.nodes().forEach(node -> writer.message(1, node::write));
    writer.text(2, "tensorbus");
    graph
        .initializers()
        .forEach((name, tensor) -> writer.message(5, w -> initializer(w, name, tensor, values)));
    graph.inputs().forEach(input -> writer.message(11, input::write));
    graph.outputs().forEach(output -> writer.message(12, output::write));
  }

  private static void initializer(
      ProtoWriter writer, String name, Tensor tensor, ValueWriter values) {
    for (int size : tensor.shape().toArray()) {
      writer.number(1, size);
    }
    writer.number(2, TensorBytes.code(tensor.dtype())).text(8, name);
    values.write(writer, tensor);
  }
}
