// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.wire;

import dev.tensorbus.autograd.Axes;
import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.WireException;
import dev.tensorbus.rpc.WireTypes;
import dev.tensorbus.rpc.WorkerInfo;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.apache.fory.Fory;
import org.apache.fory.ThreadSafeFory;
import org.apache.fory.config.Config;
import org.apache.fory.context.ReadContext;
import org.apache.fory.context.WriteContext;
import org.apache.fory.serializer.Serializer;
import org.jspecify.annotations.Nullable;

/// Encodes arguments and results with Apache Fory, which refuses every class that is not
/// registered here. Tensors and references are taken out of its stream: [Outgoing] and [Incoming]
/// carry them. Safe for any number of threads.
public final class Values {
  /// Takes what an encoded value refers to.
  public interface Outgoing {
    /// Takes a tensor along and returns its index.
    int add(Tensor tensor);

    /// Makes a fork of a reference for the receiver.
    RefHandle fork(RRef<?> reference);
  }

  /// Gives what a decoded value refers to.
  public interface Incoming {
    /// The tensor of this index.
    ///
    /// @throws WireException if there is none
    Tensor tensor(int index);

    /// The reference that a fork stands for here.
    ///
    /// @throws WireException if the fork is given up
    RRef<?> adopt(RefHandle fork);
  }

  private static final String BESIDE = "tensorbus.beside";

  private final ThreadSafeFory fory;
  private final List<Class<?>> types;

  /// Registers what Tensorbus itself sends, `references` (the classes that implement [RRef]), and
  /// what each [WireTypes] service names.
  public Values(List<Class<?>> references) {
    types =
        ServiceLoader.load(WireTypes.class, Values.class.getClassLoader()).stream()
            .flatMap(provider -> provider.get().types().stream())
            .sorted(Comparator.comparing(Class::getName))
            .distinct()
            .toList();
    fory =
        Fory.builder()
            .withXlang(false)
            .withCompatible(false)
            .withRefTracking(true)
            .requireClassRegistration(true)
            .suppressClassRegistrationWarnings(true)
            .withCodegen(false)
            .buildThreadSafeFory();
    register(references);
  }

  private void register(List<Class<?>> references) {
    Stream.of(
            GlobalId.class,
            ForkId.class,
            WorkerInfo.class,
            Sender.class,
            RefHandle.class,
            Round.class,
            RoundEnd.class,
            Gradients.class)
        .forEach(type -> fory.register(type, type.getName()));
    // What operations of tensors take.
    Stream.of(Axes.class, DType.class).forEach(type -> fory.register(type, type.getName()));
    fory.register(Tensor.class, Tensor.class.getName());
    fory.registerSerializer(Tensor.class, resolver -> new TensorSerializer(resolver.getConfig()));
    for (Class<?> reference : references) {
      fory.register(reference, reference.getName());
      fory.registerSerializer(
          reference, resolver -> new ReferenceSerializer<>(resolver.getConfig(), reference));
    }
    types.forEach(type -> fory.register(type, type.getName()));
  }

  /// Equal on two workers only if both know the same types.
  public String fingerprint() {
    return Integer.toHexString(types.stream().map(Class::getName).toList().hashCode());
  }

  /// Encodes a value.
  ///
  /// @throws WireException if it holds something of a class that may not travel
  /// @throws IllegalStateException if it holds a reference that may not be passed on
  public byte[] encode(@Nullable Object value, Outgoing outgoing) {
    try {
      return fory.execute(
          one -> {
            one.getWriteContext().putContextObject(BESIDE, outgoing);
            return one.serialize(value);
          });
    } catch (WireException e) {
      throw e;
    } catch (RuntimeException e) {
      if (e.getCause() instanceof IllegalStateException misuse) {
        throw misuse; // of a reference, which says more
      }
      throw new WireException(
          "cannot send "
              + (value == null ? "null" : value.getClass().getTypeName())
              + ": "
              + firstLine(e)
              + "; a record or enum of yours travels when a WireTypes service names it",
          e);
    }
  }

  /// Decodes what [#encode] made.
  ///
  /// @throws WireException if the bytes are not a value of classes that may travel
  public @Nullable Object decode(byte[] bytes, Incoming incoming) {
    try {
      return fory.execute(
          one -> {
            one.getReadContext().putContextObject(BESIDE, incoming);
            return one.deserialize(bytes);
          });
    } catch (RuntimeException e) {
      throw e.getCause() instanceof WireException refused
          ? refused // by Incoming, which says more
          : new WireException(
              "cannot decode a value of " + bytes.length + " bytes: " + firstLine(e), e);
    }
  }

  private static String firstLine(Throwable e) {
    String message = e.getMessage();
    return message == null ? e.getClass().getSimpleName() : message.lines().findFirst().orElse("");
  }

  /// Writes a tensor's index in its place.
  private static final class TensorSerializer extends Serializer<Tensor> {
    TensorSerializer(Config config) {
      super(config, Tensor.class);
    }

    @Override
    public void write(WriteContext context, Tensor tensor) {
      context.writeVarUInt32(((Outgoing) context.getContextObject(BESIDE)).add(tensor));
    }

    @Override
    public Tensor read(ReadContext context) {
      return ((Incoming) context.getContextObject(BESIDE)).tensor(context.readVarUInt32());
    }
  }

  /// Writes a fork of a reference in its place.
  private static final class ReferenceSerializer<T> extends Serializer<T> {
    ReferenceSerializer(Config config, Class<T> type) {
      super(config, type);
    }

    @Override
    public void write(WriteContext context, T reference) {
      context.writeRef(((Outgoing) context.getContextObject(BESIDE)).fork((RRef<?>) reference));
    }

    @Override
    @SuppressWarnings("unchecked") // owned here or not: Fory only passes the object on
    public T read(ReadContext context) {
      RefHandle fork = (RefHandle) context.readRef();
      return (T) ((Incoming) context.getContextObject(BESIDE)).adopt(fork);
    }
  }
}
