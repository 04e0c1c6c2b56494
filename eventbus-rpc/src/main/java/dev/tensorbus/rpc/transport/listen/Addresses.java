// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.listen;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.UnknownHostException;

/// Formats and parses network addresses, and recognizes those of this machine.
public final class Addresses {
  private Addresses() {}

  /// Formats an address for Hazelcast, for example `10.0.0.1:29500` or `[fd00::1]:29500`.
  public static String text(InetAddress address, int port) {
    return text(address.getHostAddress(), port);
  }

  /// Returns whether the address belongs to this machine. The public address of a machine behind
  /// NAT does not.
  ///
  /// @throws IOException if the network interfaces cannot be read
  public static boolean isHere(InetAddress address) throws IOException {
    return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
  }

  /// Returns whether a server on this host is reachable only from this machine. Returns false for
  /// unknown host names.
  public static boolean isLoopback(String host) {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }

  /// Returns whether a host is the wildcard address, to which no other machine can connect.
  public static boolean isWildcard(String host) {
    return host.equals("0.0.0.0") || host.equals("::");
  }

  /// Formats a host name or address and a port, with brackets around an IPv6 address.
  public static String text(String host, int port) {
    boolean isBare = host.contains(":") && !host.startsWith("[");
    return (isBare ? "[" + host + "]" : host) + ":" + port;
  }

  /// Formats an address and port for Hazelcast.
  public static String text(InetSocketAddress address) {
    return text(address.getAddress(), address.getPort());
  }

  /// Parses an address that [#text] returned. Does not look names up.
  ///
  /// @throws IllegalArgumentException if it is no address with a port
  public static InetSocketAddress parse(String text) {
    int colon = text.lastIndexOf(':');
    if (colon < 0) {
      throw new IllegalArgumentException(text + " has no port");
    }
    String host = text.substring(0, colon);
    boolean isBracketed = host.startsWith("[") && host.endsWith("]");
    return new InetSocketAddress(
        InetAddress.ofLiteral(isBracketed ? host.substring(1, host.length() - 1) : host),
        Integer.parseInt(text, colon + 1, text.length(), 10));
  }
}
