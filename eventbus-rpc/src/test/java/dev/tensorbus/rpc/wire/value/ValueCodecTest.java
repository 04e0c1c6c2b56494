// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.wire.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.FunctionName;
import dev.tensorbus.rpc.Parcel;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.WireException;
import dev.tensorbus.rpc.WorkerInfo;
import dev.tensorbus.rpc.wire.message.TraceContext;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.PrintWriter;
import java.io.Serializable;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.Month;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.AbstractMap.SimpleEntry;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.fory.Fory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Values that travel, and the errors for those that do not.
class ValueCodecTest {
  private static final FunctionName TAKE = new FunctionName("dev.tensorbus.rpc.Probe", "take");
  private static final int SPOILT = 20_000;

  private final ValueCodec values = new ValueCodec(List.of());

  /// Values without tensors or references.
  private static final class None implements ValueCodec.Outgoing, ValueCodec.Incoming {
    @Override
    public int add(Tensor tensor) {
      return 0;
    }

    @Override
    public int add(RRef<?> reference) {
      throw new AssertionError("no references here");
    }

    @Override
    public Tensor tensor(int index) {
      return Tensor.of(1);
    }

    @Override
    public RRef<?> reference(int index) {
      throw new WireException("no references here", null);
    }
  }

  private static final None NONE = new None();

  private @Nullable Object sent(@Nullable Object value) {
    return values.decode(values.encode(value, NONE), NONE);
  }

  static List<Object> valuesOfTheJdkAndVertx() {
    BitSet bits = new BitSet();
    bits.set(70);
    return List.of(
        Shape.of(2, 0, 3),
        Shape.SCALAR,
        new BigInteger("123456789012345678901234567890"),
        new BigDecimal("1.50"),
        new UUID(1, 2),
        Duration.ofNanos(5),
        Instant.EPOCH,
        LocalDate.EPOCH,
        LocalDateTime.of(2020, 1, 2, 3, 4),
        OffsetDateTime.of(2020, 1, 2, 3, 4, 5, 6, ZoneOffset.ofHours(2)),
        ZonedDateTime.of(2020, 1, 2, 3, 4, 5, 6, ZoneId.of("Europe/Paris")),
        ZoneId.of("Europe/Paris"),
        ZoneOffset.UTC,
        Period.ofDays(2),
        DayOfWeek.FRIDAY,
        Month.MAY,
        TimeUnit.DAYS,
        Optional.of("x"),
        Optional.empty(),
        OptionalInt.of(3),
        bits,
        URI.create("http://host/path?query"),
        Locale.FRANCE,
        new byte[] {1, 2},
        new short[] {1},
        new char[] {'a'},
        new int[] {1},
        new long[] {1},
        new float[] {1},
        new double[] {1},
        new boolean[] {true},
        new String[] {"a", null},
        new int[][] {{1}, {2, 3}},
        List.of(1, 2, 3),
        Set.of(1, 2, 3),
        Map.of("a", 1, "b", 2),
        Arrays.asList(1, null),
        Collections.unmodifiableList(new ArrayList<>(List.of(1))),
        new ArrayList<>(List.of(1, 2, 3)).subList(1, 2),
        new LinkedList<>(List.of(1)),
        new LinkedHashMap<>(Map.of("a", 1)),
        new LinkedHashSet<>(Set.of("a")),
        new TreeMap<>(Map.of("a", 1, "b", 2)),
        new TreeMap<>(Comparator.<String>reverseOrder()),
        new TreeSet<>(Set.of(3, 1, 2)),
        EnumSet.of(Month.MAY, Month.JUNE),
        EnumSet.noneOf(Month.class),
        new EnumMap<>(Map.of(Month.MAY, 1)),
        Map.entry("a", 1),
        new SimpleEntry<>("a", null),
        new SimpleImmutableEntry<>(null, 1),
        Buffer.buffer("text"),
        new JsonObject().put("a", 1).putNull("b").put("c", new JsonArray().add("d").add(2.5)),
        new JsonArray().add(new JsonObject().put("at", Instant.EPOCH)));
  }

  @ParameterizedTest
  @MethodSource("valuesOfTheJdkAndVertx")
  void commonValuesArriveAsTheyWere(Object value) {
    Object came = sent(new Object[] {value, List.of(value)});
    assertThat(((Object[]) came)[0]).isEqualTo(value).hasSameClassAs(value);
  }

  @Test
  void aDequeArrivesInOrder() {
    assertThat((ArrayDeque<?>) sent(new ArrayDeque<>(List.of(1, 2))))
        .satisfies(came -> assertThat(came.toArray()).containsExactly(1, 2));
  }

  private String refusal(@Nullable Object... arguments) {
    Throwable thrown = catchThrowable(() -> values.encode(arguments, NONE));
    assertThat(thrown).isInstanceOf(Unsendable.class);
    return ((Unsendable) thrown).asArgumentOf(TAKE).getMessage();
  }

  private record Unnamed(int weight) {}

  @Test
  void aRefusalNamesTheArgumentItsTypeAndTheCure() {
    assertThat(refusal(1, new Unnamed(2)))
        .isEqualTo(
            "cannot send argument 2 of Probe.take: it is of type"
                + " dev.tensorbus.rpc.wire.value.ValueCodecTest$Unnamed, which no WireTypes"
                + " service names; list Unnamed.class in the types() of a class that implements"
                + " dev.tensorbus.rpc.WireTypes, name that class in"
                + " META-INF/services/dev.tensorbus.rpc.WireTypes, and merge such files if jars are"
                + " merged");
    assertThat(refusal(Path.of("a")))
        .startsWith("cannot send argument 1 of Probe.take: it is of type sun.nio.fs.")
        .endsWith(
            "Path, which cannot be sent; send a record of its contents, whose class a WireTypes"
                + " service names, or a reference to it, rpc.rref(it)");
  }

  private enum Undeclared {
    ONE
  }

  @Test
  void noRefusalAdvisesToAllowAllClasses() {
    Fory lenient =
        Fory.builder()
            .withXlang(false)
            .withCompatible(false)
            .withRefTracking(true)
            .requireClassRegistration(false)
            .build();
    for (Object unknown : List.of(new Unnamed(1), Undeclared.ONE, List.of(new Unnamed(2)))) {
      assertHasNoAdvice(catchThrowable(() -> values.encode(unknown, NONE)), Unsendable.class);
      byte[] bytes = lenient.serialize(unknown);
      assertHasNoAdvice(catchThrowable(() -> values.decode(bytes, NONE)), WireException.class);
    }
  }

  private static void assertHasNoAdvice(Throwable thrown, Class<?> type) {
    assertThat(thrown).isInstanceOf(type).hasMessageContaining("no WireTypes service");
    StringWriter stack = new StringWriter();
    thrown.printStackTrace(new PrintWriter(stack));
    assertThat(stack.toString()).doesNotContainIgnoringCase("registration");
  }

  @Test
  void aRefusalNamesTheWayToWhatIsInside() {
    Parcel parcel = new Parcel(1, List.of(List.of(Tensor.of(1))), Map.of());
    List<Object> inside = List.of(Map.of("here", Optional.of(new Unnamed(2))));
    assertThat(refusal(parcel, inside))
        .startsWith(
            "cannot send argument 2 of Probe.take: its [0][here][0] is of type"
                + " dev.tensorbus.rpc.wire.value.ValueCodecTest$Unnamed, which no");
    assertThat(refusal(Map.of(new Unnamed(1), "a")))
        .startsWith("cannot send argument 1 of Probe.take: its .keySet()[0] is of type ");
    assertThat(refusal(new WorkerInfo("a", 1), new JsonObject().put("a", new Thread())))
        .startsWith(
            "cannot send argument 2 of Probe.take: its [a] is of type java.lang.Thread, which");
  }

  @Test
  void viewsAndCodeAreRefusedWithTheirCure() {
    assertThat(refusal(new HashMap<>(Map.of(1, 2)).keySet()))
        .endsWith(
            "it is of type java.util.HashMap$KeySet; send a copy made by List.copyOf, Set.copyOf or"
                + " Map.copyOf");
    assertThat(refusal(new ArrayList<>(List.of(1, 2)).reversed()))
        .contains("; send a copy made by");
    assertThat(refusal(new HashMap<>(Map.of(1, 2)).entrySet().iterator().next()))
        .endsWith("; send Map.entry(key, value)");
    Runnable plain = () -> {};
    Runnable serializable = (Runnable & Serializable) () -> {};
    for (Runnable code : List.of(plain, serializable)) {
      assertThat(refusal(List.of(code)))
          .isEqualTo(
              "cannot send argument 1 of Probe.take: its [0] is a lambda or method reference, and"
                  + " code cannot be sent; call a @Remote method instead");
    }
  }

  @Test
  void aResultIsNamedAsWhatItIs() {
    assertThat(
            Unsendable.find(new Unnamed(1), part -> true, new IllegalStateException())
                .asResultOf(TAKE))
        .hasMessageStartingWith("cannot send the result of Probe.take: it is of type ");
  }

  private static Object nested(int levels) {
    Object value = List.of();
    for (int i = 1; i < levels; i++) {
      value = i % 2 == 0 ? List.of(value) : new JsonObject().put("a", value);
    }
    return value;
  }

  @Test
  void whatIsNestedTooDeepIsRefusedWhereItIsSentAndAllElseArrives() {
    for (int levels = 1; levels < ValueParts.MOST_LEVELS; levels++) {
      assertThat(sent(new Object[] {nested(levels)})).isNotNull();
    }
    for (int levels : new int[] {ValueParts.MOST_LEVELS, 100, 1000, 100_000}) {
      assertThat(refusal(nested(levels)))
          .isEqualTo(
              "cannot send argument 1 of Probe.take: values are nested more than 64 levels deep;"
                  + " send a flat list whose elements refer to each other by index");
    }
  }

  @Test
  void aValueThatContainsItselfOrManyTimesTheSameIsNotDeep() {
    List<Object> circle = new ArrayList<>();
    circle.add(circle);
    List<?> came = (List<?>) sent(circle);
    assertThat(came.getFirst() == came).isTrue();
    Object shared = "leaf";
    for (int i = 0; i < 60; i++) {
      shared = List.of(shared, shared);
    }
    assertThat(sent(shared)).isNotNull();
  }

  @Test
  void bytesThatAreSpoiltAreReadOrRefusedAndTakeLittleMemory() {
    long seed = Long.getLong("seed", System.nanoTime());
    Random random = new Random(seed);
    List<byte[]> samples =
        Stream.concat(valuesOfTheJdkAndVertx().stream(), Stream.of(nested(20)))
            .map(value -> values.encode(new Object[] {value}, NONE))
            .toList();
    for (int i = 0; i < SPOILT; i++) {
      byte[] bytes = samples.get(random.nextInt(samples.size())).clone();
      for (int change = 0; change <= random.nextInt(3); change++) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
      }
      try {
        values.decode(bytes, NONE);
      } catch (WireException e) {
        assertThat(e.getMessage()).as("seed " + seed).isNotEmpty();
      } catch (RuntimeException | Error e) {
        throw new AssertionError("seed " + seed + ", " + Arrays.toString(bytes), e);
      }
    }
  }

  @Test
  void aTextInAnotherCodingThanTheJvmsIsRefused() {
    String wide = "\u0101\u0101\u0101"; // two bytes for each character
    List<Object> samples =
        List.of(
            new Object[] {wide},
            wide,
            List.of(1, List.of(wide)),
            Map.of(wide, 1),
            Optional.of(wide),
            new JsonObject().put("key", wide),
            new TraceContext(wide, ""));
    for (Object sample : samples) {
      byte[] bytes = values.encode(sample, NONE);
      assertThat(values.decode(bytes, NONE)).isNotNull();
      String all = new String(bytes, StandardCharsets.ISO_8859_1);
      int text = all.indexOf("\1\1\1\1\1\1");
      for (int i = 1; i < 6; i += 2) {
        bytes[text + i] = 0;
      }
      assertThatThrownBy(() -> values.decode(bytes, NONE))
          .isInstanceOf(WireException.class)
          .hasMessageContaining("a string that is not encoded as the JVM encodes it");
    }
  }

  @Test
  void aSpoiltLocaleSpoilsNoLiteral() {
    byte[] bytes = values.encode(Locale.of("wxyz"), NONE);
    int text = new String(bytes, StandardCharsets.ISO_8859_1).indexOf("wxyz");
    bytes[text - 1]++; // two bytes for each character
    System.arraycopy("q\0x\0".getBytes(StandardCharsets.ISO_8859_1), 0, bytes, text, 4);
    assertThat(values.decode(bytes, NONE)).isInstanceOf(Locale.class);
    assertThat("qx")
        .as("a literal, found among the strings that are interned")
        .isEqualTo("q".concat("x"));
  }

  @Test
  void theSizesOfAShapeAreChecked() {
    byte[] bytes = values.encode(Shape.of(7), NONE);
    bytes[bytes.length - 1] = (byte) 0x80; // a negative size
    assertThatThrownBy(() -> values.decode(bytes, NONE))
        .isInstanceOf(WireException.class)
        .hasMessageContaining("negative size");
  }
}
