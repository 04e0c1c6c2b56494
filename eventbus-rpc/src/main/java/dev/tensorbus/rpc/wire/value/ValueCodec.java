// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.wire.value;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.WireException;
import dev.tensorbus.rpc.WireTypes;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import org.apache.fory.Fory;
import org.apache.fory.ThreadSafeFory;
import org.apache.fory.config.Config;
import org.apache.fory.context.ReadContext;
import org.apache.fory.context.WriteContext;
import org.apache.fory.exception.InsecureException;
import org.apache.fory.serializer.Serializer;
import org.jspecify.annotations.Nullable;

/// Encodes arguments and results with Apache Fory, which rejects every class that is not registered
/// here. Tensors and references are kept out of Fory's stream: encoding passes them to [Outgoing],
/// and decoding obtains them from [Incoming]. Thread-safe.
public final class ValueCodec {
  /// Receives the tensors and references of a value being encoded.
  public interface Outgoing {
    /// Adds a tensor to the message and returns its index.
    int add(Tensor tensor);

    /// Adds a reference to the message and returns its index.
    int add(RRef<?> reference);
  }

  /// Provides the tensors and references of a value being decoded.
  public interface Incoming {
    /// Returns the tensor at an index.
    ///
    /// @throws WireException if there is none
    Tensor tensor(int index);

    /// Returns the reference at an index.
    ///
    /// @throws WireException if there is none
    RRef<?> reference(int index);
  }

  private static final String BESIDE = "tensorbus.beside";

  /// Larger than [ValueParts#MOST_LEVELS], since Fory counts some levels twice.
  private static final int FORY_DEPTH = 4 * ValueParts.MOST_LEVELS;

  /// Ignores the tensors and references of a value that is only checked.
  private static final Outgoing NOWHERE =
      new Outgoing() {
        @Override
        public int add(Tensor tensor) {
          return 0;
        }

        @Override
        public int add(RRef<?> reference) {
          return 0;
        }
      };

  private final ThreadSafeFory fory;
  private final List<Class<?>> types;

  /// Registers Tensorbus's own types, `references` (the classes that implement [RRef]), and the
  /// types that each [WireTypes] service names.
  public ValueCodec(List<Class<?>> references) {
    types =
        ServiceLoader.load(WireTypes.class, ValueCodec.class.getClassLoader()).stream()
            .flatMap(provider -> provider.get().types().stream())
            .sorted(Comparator.comparing(Class::getName))
            .distinct()
            .filter(type -> !CommonTypes.isPlain(type))
            .toList();
    fory =
        Fory.builder()
            .withXlang(false)
            .withCompatible(false)
            .withRefTracking(true)
            .requireClassRegistration(true)
            .withMaxDepth(FORY_DEPTH)
            .suppressClassRegistrationWarnings(true)
            .withCodegen(false)
            .buildThreadSafeFory();
    register(references);
  }

  private void register(List<Class<?>> references) {
    CommonTypes.register(fory);
    fory.register(Tensor.class, Tensor.class.getName());
    fory.registerSerializer(Tensor.class, resolver -> new TensorSerializer(resolver.getConfig()));
    for (Class<?> reference : references) {
      fory.register(reference, reference.getName());
      fory.registerSerializer(
          reference, resolver -> new ReferenceSerializer<>(resolver.getConfig(), reference));
    }
    types.forEach(type -> fory.register(type, type.getName()));
  }

  /// Returns the schemas of the classes that the [WireTypes] services name. The schemas must be the
  /// same on all workers of a world.
  public Schemas schemas() {
    return Schemas.of(types);
  }

  /// Encodes a value.
  ///
  /// @throws Unsendable if it contains an object that cannot be sent, or is nested too deeply
  /// @throws IllegalStateException if it contains a reference that may not be passed on
  /// @throws OutOfMemoryError if memory runs out
  public byte[] encode(@Nullable Object value, Outgoing outgoing) {
    byte[] bytes;
    try {
      bytes = bytes(value, outgoing);
    } catch (RuntimeException e) {
      if (e.getCause() instanceof OutOfMemoryError exhausted) {
        throw exhausted; // the value itself can be sent
      }
      throw refusal(value, e);
    } catch (StackOverflowError e) {
      throw refusal(value, null);
    }
    // Each level takes at least one byte and a lambda takes many, so short values need no check.
    if (bytes.length > ValueParts.MOST_LEVELS && !ValueParts.areReadable(value)) {
      throw refusal(value, null);
    }
    return bytes;
  }

  private byte[] bytes(@Nullable Object value, Outgoing outgoing) {
    return fory.execute(
        one -> {
          one.getWriteContext().putContextObject(BESIDE, outgoing);
          return one.serialize(value);
        });
  }

  private RuntimeException refusal(@Nullable Object value, @Nullable RuntimeException error) {
    if (error instanceof WireException) {
      return error;
    }
    if (error != null && error.getCause() instanceof IllegalStateException misuse) {
      return misuse; // misuse of a reference, with a better message
    }
    boolean ranOutOfStack = error != null && error.getCause() instanceof StackOverflowError;
    return Unsendable.find(value, this::travels, ranOutOfStack ? null : error);
  }

  private boolean travels(@Nullable Object value) {
    try {
      bytes(value, NOWHERE);
      return ValueParts.areReadable(value);
    } catch (RuntimeException | StackOverflowError e) {
      return false;
    }
  }

  /// Decodes bytes that [#encode] returned.
  ///
  /// @throws WireException if the bytes are not a value of registered classes
  public @Nullable Object decode(byte[] bytes, Incoming incoming) {
    Object value = decoded(bytes, incoming);
    StringCoding.require(value);
    return value;
  }

  private @Nullable Object decoded(byte[] bytes, Incoming incoming) {
    try {
      return fory.execute(
          one -> {
            one.getReadContext().putContextObject(BESIDE, incoming);
            return one.deserialize(bytes);
          });
    } catch (InsecureException e) { // its message advises allowing all classes
      throw new WireException(
          "cannot decode a value of %d bytes: it holds a class that no WireTypes service here names"
              .formatted(bytes.length),
          null);
    } catch (RuntimeException e) {
      throw e.getCause() instanceof WireException refused
          ? refused // thrown by Incoming, with a better message
          : new WireException(
              "cannot decode a value of " + bytes.length + " bytes: " + firstLine(e), e);
    }
  }

  private static String firstLine(Throwable e) {
    Throwable reason = e.getCause() == null ? e : e.getCause();
    String message = reason.getMessage();
    return message == null
        ? reason.getClass().getSimpleName()
        : message.lines().findFirst().orElse("");
  }

  /// Writes a tensor's index instead of the tensor.
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

  /// Writes a reference's index instead of the reference.
  private static final class ReferenceSerializer<T> extends Serializer<T> {
    ReferenceSerializer(Config config, Class<T> type) {
      super(config, type);
    }

    @Override
    public void write(WriteContext context, T reference) {
      context.writeVarUInt32(
          ((Outgoing) context.getContextObject(BESIDE)).add((RRef<?>) reference));
    }

    @Override
    @SuppressWarnings("unchecked") // Fory only passes the object on, owned here or not
    public T read(ReadContext context) {
      return (T) ((Incoming) context.getContextObject(BESIDE)).reference(context.readVarUInt32());
    }
  }
}
