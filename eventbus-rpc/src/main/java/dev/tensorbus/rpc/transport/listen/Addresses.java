// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.listen;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;

/// Addresses of machines: how they are written, and whose they are.
public final class Addresses {
  private Addresses() {}

  /// As Hazelcast reads it: `10.0.0.1:29500`, `[fd00::1]:29500`.
  public static String text(InetAddress address, int port) {
    return text(address.getHostAddress(), port);
  }

  /// Whether this machine has an address, as one behind translation has not.
  ///
  /// @throws IOException if the system does not tell
  public static boolean isHere(InetAddress address) throws IOException {
    return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
  }

  /// Whether a host stands for all addresses of this machine, by which nobody else finds it.
  public static boolean isWildcard(String host) {
    return host.equals("0.0.0.0") || host.equals("::");
  }

  /// As people write them, whatever stands for the host.
  public static String text(String host, int port) {
    boolean isBare = host.contains(":") && !host.startsWith("[");
    return (isBare ? "[" + host + "]" : host) + ":" + port;
  }

  /// Returns the address and port as Hazelcast reads them.
  public static String text(InetSocketAddress address) {
    return text(address.getAddress(), address.getPort());
  }

  /// The address that [#text] wrote.
  public static InetSocketAddress parse(String text) {
    int colon = text.lastIndexOf(':');
    return new InetSocketAddress(
        text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
  }
}
