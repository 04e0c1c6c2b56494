// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.cluster;

import java.net.Inet6Address;
import java.net.InetAddress;

/// How an address and a port are written.
public final class Addresses {
  private Addresses() {}

  /// As Hazelcast reads it: `10.0.0.1:29500`, `[fd00::1]:29500`.
  public static String text(InetAddress address, int port) {
    String host = address.getHostAddress();
    return (address instanceof Inet6Address ? "[" + host + "]" : host) + ":" + port;
  }
}
