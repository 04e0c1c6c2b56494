// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.doctor;

import io.vertx.core.transport.Transport;
import org.jspecify.annotations.Nullable;

/// How event loops wait for connections: by the system's own way or Java's.
///
/// @param name of the way
/// @param failure why the system's own is not used; null where it is, or where there is none
record TransportCheck(String name, @Nullable Throwable failure) implements Check {
  static TransportCheck here() {
    Transport own = Transport.nativeTransport();
    return own != null && own.available()
        ? new TransportCheck(own.name(), null)
        : new TransportCheck(Transport.NIO.name(), own == null ? null : own.unavailabilityCause());
  }

  @Override
  public Finding finding() {
    if (failure != null) {
      return Finding.weak(
          ("%s: calls take half as long again, because epoll does not load (%s); add Netty's library"
                  + " for this processor to the class path")
              .formatted(name, failure.getMessage()));
    }
    return Finding.ok(
        name.equals(Transport.NIO.name())
            ? name + ": calls work; Linux has a faster way, epoll"
            : name + ": calls between processes take the least time");
  }
}
