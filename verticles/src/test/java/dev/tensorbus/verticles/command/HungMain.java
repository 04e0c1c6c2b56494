// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.command;

import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// A program that hangs in a call to worker 0 until a file is there.
public final class HungMain {
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private HungMain() {}

  @Remote
  static boolean update(String file) {
    while (!Files.exists(Path.of(file))) {
      LockSupport.parkNanos(LOOK_NANOS);
    }
    return true;
  }

  /// @param arguments the file
  public static void main(String[] arguments) {
    Rpc.run(
        rpc -> {
          if (rpc.self().id() > 0) {
            System.out.println("waits");
            System.out.println("went on " + rpc.rpcSync("worker0", HungMain::update, arguments[0]));
          }
        });
  }
}
