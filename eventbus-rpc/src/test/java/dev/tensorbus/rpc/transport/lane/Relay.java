// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.lane;

import io.vertx.core.Vertx;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.SocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// Passes on what comes to it, until the line is cut.
final class Relay implements AutoCloseable {
  private final Vertx vertx = Vertx.vertx();
  private final NetClient client = vertx.createNetClient();
  private final List<NetSocket> sockets = new CopyOnWriteArrayList<>();

  /// Whether nobody is where others are told to connect to.
  volatile boolean isAbsent;

  /// Where to connect to instead of this place.
  String before(String place) {
    if (isAbsent) {
      return "127.0.0.1:1";
    }
    int port = Integer.parseInt(place.substring(place.indexOf(':') + 1));
    NetServer server =
        vertx
            .createNetServer()
            .connectHandler(socket -> pass(socket, port))
            .listen(0, "127.0.0.1")
            .await();
    return "127.0.0.1:" + server.actualPort();
  }

  private void pass(NetSocket from, int port) {
    sockets.add(from);
    from.pause();
    client
        .connect(SocketAddress.inetSocketAddress(port, "127.0.0.1"))
        .onSuccess(
            to -> {
              sockets.add(to);
              from.pipeTo(to);
              to.pipeTo(from);
            });
  }

  void cut() {
    sockets.forEach(NetSocket::close);
    sockets.clear();
  }

  @Override
  public void close() {
    vertx.close().await();
  }
}
