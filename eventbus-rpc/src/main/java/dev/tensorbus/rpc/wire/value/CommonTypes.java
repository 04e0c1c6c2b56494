// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.wire.value;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.rpc.WorkerInfo;
import dev.tensorbus.rpc.wire.CollectiveRound;
import dev.tensorbus.rpc.wire.ForkId;
import dev.tensorbus.rpc.wire.GlobalId;
import dev.tensorbus.rpc.wire.Gradients;
import dev.tensorbus.rpc.wire.RoundEnd;
import dev.tensorbus.rpc.wire.Sender;
import dev.tensorbus.rpc.wire.message.TraceContext;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.DayOfWeek;
import java.time.Month;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.AbstractMap.SimpleEntry;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.fory.BaseFory;
import org.apache.fory.config.Config;
import org.apache.fory.context.ReadContext;
import org.apache.fory.context.WriteContext;
import org.apache.fory.serializer.Serializer;

/// The types that can be sent without a [dev.tensorbus.rpc.WireTypes] service, in addition to those
/// that Fory supports itself. Some are converted to a type that Fory supports.
final class CommonTypes {
  private static final List<Class<?>> PLAIN =
      List.of(
          GlobalId.class,
          ForkId.class,
          WorkerInfo.class,
          Sender.class,
          CollectiveRound.class,
          RoundEnd.class,
          Gradients.class,
          TraceContext.class,
          DType.class, // an argument of tensor operations
          DayOfWeek.class,
          Month.class,
          ChronoUnit.class,
          TimeUnit.class);

  private CommonTypes() {}

  /// Returns whether a class needs no [dev.tensorbus.rpc.WireTypes] service.
  static boolean isPlain(Class<?> type) {
    return PLAIN.contains(type);
  }

  static void register(BaseFory fory) {
    PLAIN.forEach(type -> fory.register(type, type.getName()));
    sendAs(fory, Shape.class, Shape::toArray, Shape::of);
    sendAs(fory, JsonObject.class, JsonObject::getMap, JsonObject::new);
    sendAs(fory, JsonArray.class, JsonArray::getList, JsonArray::new);
    sendAs(fory, typeOf(Buffer.buffer()), Buffer::getBytes, Buffer::buffer);
    sendAs(fory, typeOf(ZoneId.of("Europe/Paris")), ZoneId::getId, ZoneId::of);
    substitute(fory, Locale.class, Locale::toLanguageTag, CommonTypes::localeOf);
    CommonTypes.<Map.Entry<?, ?>, Object[]>sendAs(
        fory, typeOf(Map.entry(1, 1)), CommonTypes::pair, pair -> Map.entry(pair[0], pair[1]));
    CommonTypes.<Map.Entry<?, ?>, Object[]>sendAs(
        fory,
        typeOf(new SimpleEntry<>(1, 1)),
        CommonTypes::pair,
        pair -> new SimpleEntry<>(pair[0], pair[1]));
    CommonTypes.<Map.Entry<?, ?>, Object[]>sendAs(
        fory,
        typeOf(new SimpleImmutableEntry<>(1, 1)),
        CommonTypes::pair,
        pair -> new SimpleImmutableEntry<>(pair[0], pair[1]));
  }

  private static Object[] pair(Map.Entry<?, ?> entry) {
    return new Object[] {entry.getKey(), entry.getValue()};
  }

  /// Returns an object's class, for classes of the JDK that are not public.
  @SuppressWarnings("unchecked")
  private static <T> Class<T> typeOf(T value) {
    return (Class<T>) value.getClass();
  }

  /// Copies the tag before parsing it. A corrupt message may encode a character in two bytes where
  /// the JVM uses one. Fory then creates a string that equals no other. If [Locale] interned it,
  /// the JVM would use it for the literal with the same characters in every class loaded later.
  private static Locale localeOf(String tag) {
    return Locale.forLanguageTag(String.valueOf(tag.toCharArray()));
  }

  private static <T, S> void sendAs(
      BaseFory fory, Class<? extends T> type, Function<T, S> toSend, Function<S, T> come) {
    fory.register(type, type.getName());
    substitute(fory, type, toSend, come);
  }

  private static <T, S> void substitute(
      BaseFory fory, Class<? extends T> type, Function<T, S> toSend, Function<S, T> come) {
    fory.registerSerializer(
        type, resolver -> new Stand<>(resolver.getConfig(), type, toSend, come));
  }

  /// Writes a value of another type instead of the original.
  private static final class Stand<T, S> extends Serializer<T> {
    private final Function<T, S> toSend;
    private final Function<S, T> come;

    @SuppressWarnings("unchecked") // Fory only passes the objects on
    Stand(Config config, Class<? extends T> type, Function<T, S> toSend, Function<S, T> come) {
      super(config, (Class<T>) type);
      this.toSend = toSend;
      this.come = come;
    }

    @Override
    public void write(WriteContext context, T value) {
      context.writeRef(toSend.apply(value));
    }

    /// @throws ClassCastException if the bytes contain a value of another type; [ValueCodec]
    ///     reports this and any other exception
    @Override
    @SuppressWarnings("unchecked")
    public T read(ReadContext context) {
      return come.apply((S) context.readRef());
    }
  }
}
