// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Linear;
import dev.tensorbus.optim.Adam;
import dev.tensorbus.optim.Optimizer;
import dev.tensorbus.optim.OptimizerCases;
import dev.tensorbus.optim.OptimizerSpec;
import dev.tensorbus.optim.ParameterGroup;
import dev.tensorbus.optim.Sgd;
import dev.tensorbus.optim.SparseAdam;
import dev.tensorbus.optim.distributed.OptimTypes;
import dev.tensorbus.optim.schedule.Resumable;
import dev.tensorbus.optim.update.UpdateRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Whatever is saved can be restored, or is refused when it is saved.
class CheckpointSettingsTest {
  @TempDir private Path folder;

  /// A user's settings, which are plain descent.
  private interface OwnSpec extends OptimizerSpec {
    @Override
    default OptimizerSpec withLearningRate(double learningRate) {
      throw new UnsupportedOperationException();
    }

    @Override
    default Map<String, Double> memory() {
      return Map.of("slow.weights", 0.0);
    }

    @Override
    default UpdateRule rule(long step) {
      return _ -> {};
    }
  }

  /// A constant with a body is of a class of its own.
  public enum Mode {
    FAST,
    SLOW {
      @Override
      public String toString() {
        return "slow";
      }
    }
  }

  /// A component of each type that can be kept.
  public record Everything(
      double learningRate,
      boolean truth,
      byte small,
      short less,
      int every,
      long much,
      float half,
      Boolean boxedTruth,
      Byte boxedSmall,
      Short boxedLess,
      Integer boxedEvery,
      Long boxedMuch,
      Float boxedHalf,
      Double boxed,
      @Nullable Double none,
      String optimizer,
      Mode mode,
      OptimizerSpec inner)
      implements OwnSpec {}

  private static Everything everything(double number, String text, OptimizerSpec inner) {
    long bits = Double.doubleToRawLongBits(number);
    return new Everything(
        number,
        bits % 2 == 0,
        (byte) bits,
        (short) bits,
        (int) bits,
        bits,
        (float) number,
        true,
        Byte.MIN_VALUE,
        Short.MIN_VALUE,
        Integer.MIN_VALUE,
        Long.MIN_VALUE,
        Float.MIN_VALUE,
        -0.0,
        null,
        text,
        Mode.SLOW,
        inner);
  }

  static Stream<OptimizerSpec> specs() {
    Stream<OptimizerSpec> own =
        Stream.of(0.1, 1e22, Double.MIN_VALUE, Double.NaN, Double.NEGATIVE_INFINITY)
            .map(number -> everything(number, "naïve \"text\" 😀\n", new Adam(1e-3)));
    return Stream.of(
            OptimizerCases.all().values().stream(), OptimizerCases.sparse().values().stream(), own)
        .flatMap(stream -> stream);
  }

  @ParameterizedTest
  @MethodSource("specs")
  void everyKindOfSettingIsRestored(OptimizerSpec spec) {
    List<Tensor> parameters =
        List.of(
            Tensor.parameter(Shape.of(2), new float[2]),
            Tensor.parameter(Shape.of(), new float[1]),
            Tensor.parameter(Shape.of(0, 3), new float[0]));
    Optimizer saved = spec.over(parameters);
    if (!(spec instanceof SparseAdam)) { // which takes no gradient of all values
      saved.step(parameter -> Tensor.full(parameter.shape(), parameter.dtype(), 1));
    }
    new Checkpoint().withOptimizer("own", saved).save(folder);
    OptimizerSpec other =
        spec instanceof Everything all
            ? everything(7, "other", all.inner().withLearningRate(2))
            : spec.withLearningRate(7);
    Optimizer restored = other.over(parameters);
    new Checkpoint().withOptimizer("own", restored).restore(folder);
    assertThat(restored.groups().getFirst().spec()).isEqualTo(spec);
    for (int i = 0; i < parameters.size(); i++) {
      var expected = saved.state().groups().getFirst().memories().get(i);
      var actual = restored.state().groups().getFirst().memories().get(i);
      assertThat(actual.steps()).isEqualTo(expected.steps());
      assertThat(actual.tensors().keySet()).isEqualTo(expected.tensors().keySet());
      expected
          .tensors()
          .forEach(
              (name, tensor) ->
                  assertThat(actual.tensors().get(name).values()).isEqualTo(tensor.values()));
    }
  }

  @Test
  void everyOptimizerOfTheProjectIsAmongThem() {
    assertThat(specs().map(Object::getClass).distinct())
        .containsAll(
            new OptimTypes()
                .types().stream().filter(OptimizerSpec.class::isAssignableFrom).toList());
  }

  /// A map is none of the types that can be kept.
  public record WithMap(double learningRate, Map<String, Double> betas) implements OwnSpec {}

  /// An array is never equal to another.
  public record WithArray(double learningRate, double[] betas) implements OwnSpec {}

  /// Others cannot make one.
  record Hidden(double learningRate) implements OwnSpec {}

  /// Not a record.
  public static final class Plain implements OwnSpec {
    @Override
    public double learningRate() {
      return 1;
    }
  }

  /// Its constructor does not keep what it is given.
  public record Doubled(double learningRate) implements OwnSpec {
    /// Doubles the rate.
    public Doubled {
      learningRate *= 2;
    }
  }

  static Stream<OptimizerSpec> refused() {
    return Stream.of(
        new WithMap(1, Map.of("a", 0.9)),
        new WithArray(1, new double[] {0.9}),
        new Hidden(1),
        new Plain(),
        new Doubled(1),
        everything(1, "\uD800", new Adam(1)),
        everything(1, "", new WithMap(1, Map.of())));
  }

  @ParameterizedTest
  @MethodSource("refused")
  void settingsThatCannotBeRestoredAreRefusedWhenTheyAreSaved(OptimizerSpec spec)
      throws IOException {
    Tensor parameter = Tensor.parameter(Shape.of(1), new float[1]);
    Checkpoint checkpoint = new Checkpoint().withOptimizer("own", spec.over(List.of(parameter)));
    assertThatExceptionOfType(CheckpointException.class)
        .isThrownBy(() -> checkpoint.save(folder))
        .withMessageStartingWith("checkpoint %s: ", folder);
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files.map(file -> file.getFileName().toString())).containsExactly("write.lock");
    }
  }

  /// Settings with lists, which may be nested.
  public record Lists(List<Double> means, List<List<String>> names, List<Plane> planes) {}

  /// An element of a list.
  public record Plane(int width, Mode mode) {}

  @Test
  void listsAreRestoredWithTheirElements() {
    Lists lists =
        new Lists(
            List.of(0.1, -0.0, Double.NaN),
            List.of(List.of("a", ""), List.of()),
            List.of(new Plane(3, Mode.SLOW), new Plane(4, Mode.FAST)));
    new Checkpoint()
        .withModel("net", new Linear(1, 1, new SplittableRandom(1)))
        .withSettings(lists)
        .save(folder);
    assertThat(Checkpoint.settings(folder, Lists.class)).isEqualTo(lists);
  }

  @Test
  void theComponentThatCannotBeKeptIsNamed() {
    Optimizer optimizer =
        new WithMap(1, Map.of()).over(List.of(Tensor.parameter(Shape.of(1), new float[1])));
    assertThatExceptionOfType(CheckpointException.class)
        .isThrownBy(() -> new Checkpoint().withOptimizer("own", optimizer).save(folder))
        .withMessageContaining("CheckpointSettingsTest$WithMap cannot be saved: betas is a java.")
        .withMessageEndingWith(
            "make it a public record of numbers, booleans, strings, enums, and records and lists of"
                + " these");
  }

  @ParameterizedTest
  @ValueSource(strings = {"model.ema", "adam.1", ".", ""})
  void aNameThatWouldBeMistakenForAnotherIsRefused(String name) {
    Linear layer = new Linear(1, 1, new SplittableRandom(1));
    Optimizer optimizer = new Sgd(1).over(layer.parameters());
    Checkpoint checkpoint = new Checkpoint();
    String message = "checkpoint: the name \"" + name + "\" is empty or contains a dot";
    assertThatIllegalArgumentException()
        .isThrownBy(() -> checkpoint.withModel(name, layer))
        .withMessage(message);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> checkpoint.withOptimizer(name, optimizer))
        .withMessage(message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"model/ema", "..x", "a b", "naïve", "😀", "__metadata__", "\"", "%2E"})
  void anyOtherNameIsRestored(String text) {
    String name = text.replace(".", "_");
    Linear layer = new Linear(2, 1, new SplittableRandom(1));
    Optimizer optimizer = new Adam(1).over(layer.parameters());
    Checkpoint checkpoint =
        new Checkpoint()
            .withModel(name, layer)
            .withModel(name + "2", new Linear(2, 1, new SplittableRandom(2)))
            .withOptimizer(name, optimizer)
            .withOptimizer(name + "1", optimizer)
            .withProgress(name, numbers(Map.of(name + ".x", 1.0)));
    optimizer.step(parameter -> parameter);
    checkpoint.save(folder);
    float[] saved = layer.parameters().getFirst().values();
    layer.parameters().getFirst().update(old -> new float[old.length]);
    checkpoint.restore(folder);
    assertThat(layer.parameters().getFirst().values()).isEqualTo(saved);
  }

  @Test
  void aNameWithHalfACharacterIsRefusedWhenItIsSaved() {
    Linear layer = new Linear(1, 1, new SplittableRandom(1));
    for (Checkpoint checkpoint :
        List.of(
            new Checkpoint().withModel("\uD800", layer),
            new Checkpoint().withOptimizer("\uD800", new Sgd(1).over(layer.parameters())),
            new Checkpoint().withProgress("\uD800", numbers(Map.of())),
            new Checkpoint().withProgress("x", numbers(Map.of("\uD800", 1.0))))) {
      assertThatExceptionOfType(CheckpointException.class)
          .isThrownBy(() -> checkpoint.save(folder));
    }
  }

  @Test
  void numbersOfProgressAreRestoredToTheBit() {
    Map<String, Double> numbers =
        Map.of("a", Double.NaN, "b", Double.NEGATIVE_INFINITY, "c", -0.0, "d", 0.1, "", 1e300);
    new Checkpoint().withProgress("own", numbers(numbers)).save(folder);
    new Checkpoint().withProgress("own", numbers(numbers)).restore(folder);
  }

  /// Has these numbers, and has to be given them again.
  private static Resumable numbers(Map<String, Double> numbers) {
    return new Resumable() {
      @Override
      public Map<String, Double> state() {
        return numbers;
      }

      @Override
      public void load(Map<String, Double> state) {
        assertThat(state).isEqualTo(numbers);
      }
    };
  }

  /// The name of an optimizer of the project, with fewer settings.
  private static final class Others {
    public record Adam(double learningRate) implements OwnSpec {}
  }

  @Test
  void settingsOfAnotherOptimizerOfThisNameAreRefused() {
    Tensor parameter = Tensor.parameter(Shape.of(1), new float[1]);
    List<Tensor> parameters = List.of(parameter);
    new Checkpoint().withOptimizer("adam", new Adam(1).over(parameters)).save(folder);
    Optimizer other = new Optimizer(List.of(new ParameterGroup<>(new Others.Adam(1), parameters)));
    assertThatExceptionOfType(CheckpointException.class)
        .isThrownBy(() -> new Checkpoint().withOptimizer("adam", other).restore(folder))
        .withMessageContaining("it has the settings of Adam [amsgrad, beta1, beta2, eps,");
  }

  /// The settings of a network.
  public record NetSettings(int width, double dropout, Mode mode, Schedule schedule) {
    /// A part of them.
    public record Schedule(long steps, float rate, String name, boolean isCyclic) {}
  }

  /// Settings that no file can hold.
  public record Untold(Object any) {}

  private static final NetSettings SETTINGS =
      new NetSettings(
          64, 0.1, Mode.SLOW, new NetSettings.Schedule(1L << 40, 0.1f, "ein \"Plan\"", true));

  @Test
  void theSettingsOfARunAreReadBeforeItsModelIsMade() {
    new Checkpoint()
        .withModel("model", new Linear(2, 1, new SplittableRandom(1)))
        .withSettings(SETTINGS)
        .save(folder);
    assertThat(Checkpoint.settings(folder, NetSettings.class)).isEqualTo(SETTINGS);
    Linear restored = new Linear(2, 1, new SplittableRandom(2));
    new Checkpoint().withModel("model", restored).restore(folder); // does not ask for settings
    assertThat(restored.parameters().getFirst().values())
        .containsExactly(
            new Linear(2, 1, new SplittableRandom(1)).parameters().getFirst().values());
  }

  @Test
  void settingsOfAnotherKindAreRefused() {
    Checkpoint checkpoint = new Checkpoint().withSettings(SETTINGS);
    assertThatThrownBy(() -> checkpoint.withSettings(SETTINGS))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "checkpoint: withSettings would replace the settings of an earlier call; call it once");
    assertThatThrownBy(() -> new Checkpoint().withSettings(new Untold(new int[0])))
        .isInstanceOf(CheckpointException.class)
        .hasMessageContaining("any is a [I; make it a public record of numbers");
    checkpoint.save(folder);
    assertThatThrownBy(() -> Checkpoint.settings(folder, NetSettings.Schedule.class))
        .isInstanceOf(CheckpointException.class)
        .hasMessage(
            "checkpoint %s: it was saved with NetSettings, expected Schedule".formatted(folder));
  }

  @Test
  void aCheckpointWithoutSettingsSaysSo() {
    new Checkpoint().save(folder);
    assertThatThrownBy(() -> Checkpoint.settings(folder, NetSettings.class))
        .hasMessage(
            "checkpoint %s: it has no settings; save them with withSettings".formatted(folder));
    assertThatThrownBy(() -> Checkpoint.settings(folder.resolve("nowhere"), NetSettings.class))
        .isInstanceOf(CheckpointException.class)
        .hasMessageStartingWith("checkpoint " + folder.resolve("nowhere"));
  }
}
