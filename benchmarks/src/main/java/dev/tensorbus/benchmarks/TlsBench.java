// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks;

import dev.tensorbus.benchmarks.measure.Benchmark;
import dev.tensorbus.benchmarks.rpc.RpcBench;
import dev.tensorbus.rpc.transport.listen.Authority;
import dev.tensorbus.rpc.transport.listen.Certificates;
import dev.tensorbus.verticles.Setting;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Measures calls with and without certificates in turns. Tensors travel by sockets, as between
/// machines.
final class TlsBench implements Benchmark {
  private static final int TURNS = 3;

  @Override
  public String name() {
    return "tls";
  }

  @Override
  public String summary() {
    return "calls with and without certificates, for ten minutes";
  }

  @Override
  public int run(JsonObject given) throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("tensorbus-tls");
    Path certificates = Authority.in(folder, 1).certify("bench");
    try {
      JsonObject plain = new JsonObject().put(RpcBench.SOCKETS.key(), true);
      JsonObject encrypted = plain.copy().put(Setting.TLS.key(), certificates.toString());
      for (int turn = 0; turn < TURNS; turn++) {
        int code = new WorldBenchmark(RpcBench.PROGRAM, List.of(plain, encrypted)).run(given);
        if (code != 0) {
          return code;
        }
      }
      return 0;
    } finally {
      for (String file :
          List.of(Certificates.CERTIFICATE, Certificates.KEY, Certificates.AUTHORITY)) {
        Files.delete(certificates.resolve(file));
      }
      Files.delete(certificates);
      Files.delete(folder.resolve(Authority.FILE));
      Files.delete(folder);
    }
  }
}
