// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx.graph;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.file.ProtoReader;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Reads an ONNX model, which may come from a stranger: the memory that it takes is bounded by the
/// size of its files.
public final class ModelReader {
  private static final long OLDEST = 13;
  private static final long NEWEST = 20;

  /// More nodes or tensors than any model has. A node takes more memory than its few bytes.
  private static final int LIMIT = 1 << 20;

  private final InitializerReader tensors;
  private final List<String> inputs = new ArrayList<>();
  private final Map<String, Tensor> initializers = new LinkedHashMap<>();
  private final List<GraphNode> nodes = new ArrayList<>();
  private final List<String> outputs = new ArrayList<>();
  private long operatorSet;
  private boolean hasGraph;

  private ModelReader(Path file, Arena arena) {
    Path folder = Objects.requireNonNull(file.toAbsolutePath().getParent());
    this.tensors = new InitializerReader(new ExternalFiles(folder, arena));
  }

  /// Reads a model.
  ///
  /// @throws IllegalArgumentException if the file is damaged or has another operator set
  public static LoadedGraph read(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
        Arena arena = Arena.ofConfined()) {
      if (channel.size() > Integer.MAX_VALUE) {
        throw new IllegalArgumentException("it has 2 GiB or more; save its weights beside it");
      }
      MemorySegment bytes = channel.map(MapMode.READ_ONLY, 0, channel.size(), arena);
      return new ModelReader(file, arena).model(new ProtoReader(bytes.asByteBuffer()));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          e.getMessage() + "; if the file is damaged, export or download it again", e);
    }
  }

  /// Reads a ModelProto. Field numbers: graph 7, opset_import 8.
  private LoadedGraph model(ProtoReader reader) {
    while (reader.next()) {
      switch (reader.field()) {
        case 7 -> graph(reader.message());
        case 8 -> operatorSet(reader.message());
        default -> {}
      }
    }
    if (!hasGraph) {
      throw new IllegalArgumentException("it has no graph");
    }
    if (operatorSet < OLDEST || operatorSet > NEWEST) {
      throw new IllegalArgumentException(
          "it has operator set %d; expected %d to %d".formatted(operatorSet, OLDEST, NEWEST));
    }
    inputs.removeAll(initializers.keySet()); // until format 4, initializers were listed there, too
    return new LoadedGraph(
        List.copyOf(inputs), initializers, List.copyOf(nodes), List.copyOf(outputs));
  }

  /// Reads an OperatorSetIdProto. Field numbers: domain 1, version 2.
  private void operatorSet(ProtoReader reader) {
    String domain = "";
    long version = 0;
    while (reader.next()) {
      switch (reader.field()) {
        case 1 -> domain = reader.text();
        case 2 -> version = reader.number();
        default -> {}
      }
    }
    if (domain.isEmpty() || domain.equals("ai.onnx")) {
      operatorSet = version;
    }
  }

  /// Reads a GraphProto. Field numbers: node 1, initializer 5, input 11, output 12.
  private void graph(ProtoReader reader) {
    hasGraph = true;
    while (reader.next()) {
      switch (reader.field()) {
        case 1 -> add(nodes, GraphNode.read(reader.message(), tensors));
        case 5 -> initializer(tensors.read(reader.message()));
        case 11 -> add(inputs, name(reader.message()));
        case 12 -> add(outputs, name(reader.message()));
        case 15 -> throw new IllegalArgumentException("it has sparse tensors");
        default -> {}
      }
    }
  }

  private static <T> void add(List<T> list, T element) {
    if (list.size() == LIMIT) {
      throw new IllegalArgumentException("it has more than " + LIMIT + " nodes, inputs or outputs");
    }
    list.add(element);
  }

  private void initializer(InitializerReader.Named named) {
    @Nullable Tensor other = initializers.put(named.name(), named.tensor());
    if (other != null || initializers.size() > LIMIT) {
      throw new IllegalArgumentException(
          "two tensors are named \"" + named.name() + "\", or there are more than " + LIMIT);
    }
  }

  /// Returns the name of a ValueInfoProto, its field 1.
  private static String name(ProtoReader reader) {
    String name = "";
    while (reader.next()) {
      if (reader.field() == 1) {
        name = reader.text();
      }
    }
    return name;
  }
}
