// SPDX-License-Identifier: Apache-2.0
package service;

import dev.tensorbus.rpc.Rpc;
import io.vertx.core.http.HttpServer;
import java.nio.file.Path;

/// Starts the service. The arguments are the folder of its checkpoints and its port.
public final class Main {
  public static void main(String[] args) {
    Path checkpoints = Path.of(args.length > 0 ? args[0] : "checkpoints");
    int port = args.length > 1 ? Integer.parseInt(args[1]) : 8080;
    Rpc.run(rpc -> serve(rpc, new Service(rpc, checkpoints), port));
  }

  private static void serve(Rpc rpc, Service service, int port) {
    HttpServer server = rpc.vertx().createHttpServer().requestHandler(service.router());
    server.listen(port, "127.0.0.1").await();
    System.out.printf("http://127.0.0.1:%d/page/%n", port);
    try {
      while (true) {
        service.learn();
      }
    } catch (InterruptedException e) {
      server.close().await();
    }
  }
}
