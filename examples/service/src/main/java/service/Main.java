// SPDX-License-Identifier: Apache-2.0
package service;

import dev.tensorbus.rpc.Rpc;
import java.nio.file.Path;

/// Starts the service. The arguments are the folder of its checkpoints and its port.
public final class Main {
  public static void main(String[] args) {
    Rpc.run(
        rpc -> {
          var service = new Service(rpc, Path.of(args[0]));
          var server = rpc.vertx().createHttpServer().requestHandler(service.router());
          server.listen(Integer.parseInt(args[1]), "127.0.0.1").await();
          System.out.printf("http://127.0.0.1:%s/page/%n", args[1]);
          while (true) {
            service.learn();
          }
        });
  }
}
