// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.doctor;

import io.vertx.core.transport.Transport;
import org.jspecify.annotations.Nullable;

/// Checks the transport of the event loops: the native one of the system, or Java's NIO.
///
/// @param name the name of the transport
/// @param failure why the native transport is not used; null if it is used, or if there is none
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
          ("%s: calls take 50 %% longer, because epoll does not load (%s); add Netty's native"
                  + " library for this platform to the class path")
              .formatted(name, failure.getMessage()));
    }
    return Finding.ok(
        name.equals(Transport.NIO.name())
            ? name + ": calls work; on Linux, epoll would be faster"
            : name + ": the fastest transport between processes");
  }
}
