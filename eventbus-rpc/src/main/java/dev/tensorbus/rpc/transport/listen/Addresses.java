// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.listen;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;

/// Formats and parses addresses of machines, and tells which are this machine's.
public final class Addresses {
  private Addresses() {}

  /// Formats an address as Hazelcast reads it: `10.0.0.1:29500`, `[fd00::1]:29500`.
  public static String text(InetAddress address, int port) {
    return text(address.getHostAddress(), port);
  }

  /// Returns whether this machine has the address; a machine behind address translation has not.
  ///
  /// @throws IOException if the operating system does not tell
  public static boolean isHere(InetAddress address) throws IOException {
    return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
  }

  /// Returns whether a host is the wildcard address, at which no other machine can connect.
  public static boolean isWildcard(String host) {
    return host.equals("0.0.0.0") || host.equals("::");
  }

  /// Formats a host name or address and a port for people.
  public static String text(String host, int port) {
    boolean isBare = host.contains(":") && !host.startsWith("[");
    return (isBare ? "[" + host + "]" : host) + ":" + port;
  }

  /// Returns the address and port as Hazelcast reads them.
  public static String text(InetSocketAddress address) {
    return text(address.getAddress(), address.getPort());
  }

  /// Parses an address that [#text] returned.
  public static InetSocketAddress parse(String text) {
    int colon = text.lastIndexOf(':');
    return new InetSocketAddress(
        text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
  }
}
