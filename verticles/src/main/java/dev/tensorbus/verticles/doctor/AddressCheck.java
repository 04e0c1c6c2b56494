// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.doctor;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.SocketException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The addresses at which workers meet.
///
/// @param addresses those that other machines may reach, with their networks' names
/// @param failure why no worker can listen on loopback; null if one can
record AddressCheck(List<String> addresses, @Nullable String failure) implements Check {
  static AddressCheck here() {
    return new AddressCheck(reachable(), whyNotListening());
  }

  /// Asks no name server, which may take its time.
  private static List<String> reachable() {
    try {
      return NetworkInterface.networkInterfaces()
          .filter(AddressCheck::isUp)
          .flatMap(
              network ->
                  network
                      .inetAddresses()
                      .filter(Inet4Address.class::isInstance)
                      .map(address -> address.getHostAddress() + " (" + network.getName() + ")"))
          .toList();
    } catch (SocketException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isUp(NetworkInterface network) {
    try {
      return network.isUp() && !network.isLoopback();
    } catch (SocketException e) {
      return false; // it has gone
    }
  }

  private static @Nullable String whyNotListening() {
    try (ServerSocket _ = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return null;
    } catch (IOException e) {
      return e.getMessage();
    }
  }

  @Override
  public Finding finding() {
    if (failure != null) {
      return Finding.bad(
          ("no worker can listen on this machine's own address (%s), where those that start here"
                  + " meet; bring the loopback interface up")
              .formatted(failure));
    }
    return addresses.isEmpty()
        ? Finding.weak(
            "127.0.0.1 alone: a whole world runs here; connect this machine for workers on others")
        : Finding.ok(
            String.join(", ", addresses) + ": --master-addr of workers on several machines");
  }
}
