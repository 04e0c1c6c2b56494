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

/// Checks the addresses that workers use to connect to each other.
///
/// @param addresses the addresses that other machines may reach, with their interfaces' names
/// @param failure why workers cannot listen on loopback; null if they can
record AddressCheck(List<String> addresses, @Nullable String failure) implements Check {
  static AddressCheck here() {
    return new AddressCheck(reachable(), whyNotListening());
  }

  /// Lists the IPv4 addresses of all interfaces that are up, except loopback. Does no name lookups,
  /// which may be slow.
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
      return false; // the interface has disappeared
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
          ("workers cannot listen on the loopback address (%s), on which local worlds"
                  + " communicate; bring the loopback interface up")
              .formatted(failure));
    }
    return addresses.isEmpty()
        ? Finding.weak(
            "only 127.0.0.1: local worlds work; workers on other machines need a network")
        : Finding.ok(
            String.join(", ", addresses)
                + ": for --master-addr, if workers run on several machines");
  }
}
