// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.world.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

class PeerConnectionsTest {
  @Test
  void aPortRefusesConnectionsWhenItsProcessNoLongerListens() throws IOException {
    InetSocketAddress port;
    try (ServerSocket door = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = new InetSocketAddress(door.getInetAddress(), door.getLocalPort());
      assertThat(PeerConnections.isRefused(port)).isFalse();
    }
    assertThat(PeerConnections.isRefused(port)).isTrue();
  }

  @Test
  void aProcessThatDoesNotAcceptItsConnectionsRefusesNone() throws IOException {
    try (ServerSocket frozen = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var port = new InetSocketAddress(frozen.getInetAddress(), frozen.getLocalPort());
      for (int i = 0; i < 4; i++) { // more than it queues
        assertThat(PeerConnections.isRefused(port)).isFalse();
      }
    }
  }
}
