// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.application;

/// A main that starts its own world, as users write it.
final class SpawningMain {
  private SpawningMain() {}

  static void main(String[] arguments) {
    Launcher.run(
        SpawningMain.class,
        arguments,
        2,
        rpc -> {
          if (arguments[0].equals("fail") && rpc.self().id() == 1) {
            throw new IllegalStateException("asked to fail");
          }
          if (arguments[0].equals("report")) {
            rpc.progress().step(32, 0.5f);
          }
          System.out.println(
              "%s of %d was told to %s"
                  .formatted(rpc.self().name(), rpc.workers().size(), arguments[0]));
        });
    System.out.println("goes on");
  }
}
