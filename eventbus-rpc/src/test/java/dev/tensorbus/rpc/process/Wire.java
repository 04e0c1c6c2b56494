// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.process;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import org.apache.fory.Fory;
import org.apache.fory.ThreadSafeFory;
import org.jspecify.annotations.Nullable;

/// How [Puppet] and [Agent] talk: both are the test's own, so anything may travel.
final class Wire {
  private static final ThreadSafeFory FORY =
      Fory.builder()
          .withXlang(false)
          .withRefTracking(true)
          .requireClassRegistration(false)
          .suppressClassRegistrationWarnings(true)
          .withCodegen(false)
          .buildThreadSafeFory();

  private Wire() {}

  /// One method of [dev.tensorbus.rpc.Rpc] to run on a worker.
  record Command(String worker, String method, Class<?>[] types, @Nullable Object[] arguments) {}

  /// Its outcome; `error` is a serialized exception or null.
  record Outcome(@Nullable Object result, byte @Nullable [] error) {}

  static byte[] encode(Object message) {
    return FORY.serialize(message);
  }

  static Object decode(byte[] bytes) {
    return FORY.deserialize(bytes);
  }

  static byte[] encodeError(Throwable error) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(error);
    } catch (IOException e) {
      throw new IllegalStateException("cannot send " + error, e);
    }
    return bytes.toByteArray();
  }

  static RuntimeException decodeError(byte[] bytes) {
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
      return (RuntimeException) in.readObject();
    } catch (IOException | ClassNotFoundException e) {
      throw new IllegalStateException("cannot read an exception", e);
    }
  }
}
