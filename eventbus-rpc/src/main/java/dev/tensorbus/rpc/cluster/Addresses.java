// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.cluster;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/// How an address and a port are written.
public final class Addresses {
  private Addresses() {}

  /// As Hazelcast reads it: `10.0.0.1:29500`, `[fd00::1]:29500`.
  public static String text(InetAddress address, int port) {
    String host = address.getHostAddress();
    return (address instanceof Inet6Address ? "[" + host + "]" : host) + ":" + port;
  }

  static String text(InetSocketAddress address) {
    return text(address.getAddress(), address.getPort());
  }

  /// The address that [#text] wrote.
  static InetSocketAddress parse(String text) {
    int colon = text.lastIndexOf(':');
    return new InetSocketAddress(
        text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
  }
}
