// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.onnx.OnnxTwin;
import dev.tensorbus.nn.dropout.AlphaDropout;
import dev.tensorbus.nn.dropout.Dropout;
import dev.tensorbus.nn.dropout.Dropout1d;
import dev.tensorbus.nn.dropout.Dropout2d;
import dev.tensorbus.nn.dropout.Dropout3d;
import dev.tensorbus.nn.dropout.FeatureAlphaDropout;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Finds layers, losses and functions whose step nobody has compared with ONNX Runtime's.
/// `LayersTest` compares each case of torch's reference, and `OperationsTest` each operation of
/// [Tensor].
final class LayerNodesTest {
  private static final Path CLASSES = Path.of("target", "classes");

  /// Those that draw random numbers, which two engines draw at different times, or combine layers.
  static Stream<Layer> others() {
    SplittableRandom random = new SplittableRandom(1);
    return Stream.of(
        new AlphaDropout(0.5f, random),
        new Dropout(0.5f, random),
        new Dropout1d(0.5f, random),
        new Dropout2d(0.5f, random),
        new Dropout3d(0.5f, random),
        new FeatureAlphaDropout(0.5f, random),
        Lora.of(new Linear(4, 4, random), 2, 2, random),
        new ColumnEmbedding(2, List.of(3, 3), 2, random));
  }

  private static Tensor input(Layer layer) {
    return switch (layer) {
      case ColumnEmbedding _ -> Tensor.of(Shape.of(2, 4), new float[] {0.5f, 2, 0, 1, 1, 3, 2, 2});
      case Dropout1d _ -> Tensor.ones(2, 3, 4);
      case Dropout3d _ -> Tensor.ones(2, 3, 2, 4, 4);
      default -> Tensor.ones(2, 3, 4, 4);
    };
  }

  @ParameterizedTest
  @MethodSource("others")
  void aLayerWithoutACaseHasNodesForItsStep(Layer layer) {
    Forward forward = (Forward) layer;
    OnnxTwin twin =
        new OnnxTwin(
            layer.getClass().getSimpleName(),
            layer,
            inputs -> List.of(forward.forward(inputs.getFirst())),
            List.of(input(layer)));
    assertThat(twin.operatorsOfStep()).isNotEmpty();
  }

  /// A `ShardedEmbedding` calls other workers.
  @Test
  void everyLayerHasACase() throws IOException {
    Set<String> known = compared();
    known.addAll(Set.of("sequential", "layerlist", "shardedembedding"));
    others().forEach(layer -> known.add(lowerCase(layer.getClass().getSimpleName())));
    List<String> layers =
        classes("dev/tensorbus/nn")
            .filter(Layer.class::isAssignableFrom)
            .filter(type -> !Modifier.isAbstract(type.getModifiers()))
            .map(type -> lowerCase(type.getSimpleName()))
            .toList();
    assertThat(layers).hasSizeGreaterThan(40);
    assertThat(known).containsAll(layers);
  }

  @Test
  void everyLossHasACase() throws IOException {
    Set<String> known = compared();
    known.add("bcewithlogitsloss"); // as bce
    List<String> losses =
        classes("dev/tensorbus/nn/loss")
            .map(type -> lowerCase(type.getSimpleName()))
            .filter(name -> name.endsWith("loss") && !name.equals("loss"))
            .toList();
    assertThat(losses)
        .hasSizeGreaterThan(10)
        .allMatch(name -> known.contains(name) || known.contains(name.replace("loss", "")));
  }

  /// Dropout functions are those of the layers.
  @Test
  void everyFunctionHasACase() throws IOException {
    Set<String> known = compared();
    known.add("causalmask"); // a constant
    List<String> functions =
        classes("dev/tensorbus/nn/functional")
            .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
            .filter(method -> Modifier.isStatic(method.getModifiers()))
            .filter(method -> Modifier.isPublic(method.getModifiers()))
            .map(method -> lowerCase(method.getName()))
            .filter(name -> !name.contains("dropout"))
            .toList();
    assertThat(functions).hasSizeGreaterThan(20);
    assertThat(known).containsAll(functions);
  }

  /// The compared layers and functions, in lower case. `conv2d` is both.
  private static Set<String> compared() {
    return new HashSet<>(
        Stream.concat(
                TorchResource.read("layers").keySet().stream().map(key -> key.split("[./]")[0]),
                Arrays.stream(Tensor.class.getMethods()).map(Method::getName))
            .map(LayerNodesTest::lowerCase)
            .collect(Collectors.toSet()));
  }

  private static String lowerCase(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  private static Stream<Class<?>> classes(String folder) throws IOException {
    try (Stream<Path> files = Files.walk(CLASSES.resolve(folder))) {
      return files
          .map(file -> CLASSES.relativize(file).toString().replace('/', '.'))
          .filter(name -> name.endsWith(".class") && !name.contains("$"))
          .filter(name -> !name.contains("-info"))
          .<Class<?>>map(name -> named(name.substring(0, name.length() - ".class".length())))
          .toList()
          .stream();
    }
  }

  private static Class<?> named(String name) {
    try {
      return Class.forName(name);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(name, e);
    }
  }
}
