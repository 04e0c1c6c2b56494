// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import dev.tensorbus.rpc.testing.ForkedJvm;
import java.io.IOException;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;

/// A gateway between networks: hands each connection to one of its ports on to the same port of a
/// host behind it, as a container's port mapping does. It records what passes.
final class PortForwarder {
  private static OutputStream record;

  private PortForwarder() {}

  /// Prints a line once it listens, and ends with its standard input.
  ///
  /// @param arguments the file of the record, and then any number of a host and its ports, such as
  ///     `10.0.0.1` and `29500-29520`
  public static void main(String[] arguments) throws IOException {
    record = Files.newOutputStream(Path.of(arguments[0]));
    for (int i = 1; i < arguments.length; i += 2) {
      String host = arguments[i];
      PortRange ports = PortRange.parse(arguments[i + 1]);
      for (int port = ports.first(); port <= ports.last(); port++) {
        ServerSocket door = new ServerSocket(port);
        Thread.startVirtualThread(() -> serve(door, host));
      }
    }
    System.out.println("ready");
    ForkedJvm.awaitEnd();
  }

  private static void serve(ServerSocket door, String host) {
    while (true) {
      try {
        Socket near = door.accept();
        Thread.startVirtualThread(() -> connect(near, host, door.getLocalPort()));
      } catch (IOException e) {
        return;
      }
    }
  }

  private static void connect(Socket near, String host, int port) {
    try {
      Socket far = new Socket(host, port);
      Thread.startVirtualThread(() -> copy(far, near));
      copy(near, far);
    } catch (IOException e) {
      close(near); // nobody listens there
    }
  }

  private static void copy(Socket from, Socket to) {
    try {
      byte[] bytes = new byte[1 << 16];
      for (int count; (count = from.getInputStream().read(bytes)) >= 0; ) {
        record(bytes, count);
        to.getOutputStream().write(bytes, 0, count);
      }
    } catch (IOException e) {
      // one of them is gone, and both end
    }
    close(from);
    close(to);
  }

  private static synchronized void record(byte[] bytes, int count) throws IOException {
    record.write(bytes, 0, count);
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
