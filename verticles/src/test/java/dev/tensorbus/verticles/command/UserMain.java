// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.command;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.grpc.gateway.Exports;
import dev.tensorbus.nn.Linear;
import dev.tensorbus.optim.server.Batching;
import dev.tensorbus.optim.server.ModelServer;
import dev.tensorbus.optim.server.Predictor;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.verticles.GatewayExtension;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/// A program as users write one: worker 0 serves, and the others greet it.
public final class UserMain {
  private static final Map<Integer, Integer> LIVES = new ConcurrentHashMap<>();

  private static final CountDownLatch GREETED = new CountDownLatch(1);

  /// Set by a debugger.
  private static volatile boolean isAttached;

  private UserMain() {}

  @Remote
  static boolean isFirstLife(int rank) {
    return LIVES.merge(rank, 1, Integer::sum) == 1;
  }

  private static void awaitGreeting() {
    try {
      GREETED.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Remote
  static String where() {
    GREETED.countDown();
    return Rpc.current().self().name();
  }

  /// @param arguments what to do, and a word
  public static void main(String[] arguments) {
    Rpc.run(
        rpc -> {
          if (rpc.self().id() == 0) {
            System.out.println("worker0 of " + rpc.workers().size());
            if (arguments[0].equals("--report")) {
              serve(rpc);
            }
            if (arguments[0].equals("--fail-once")) {
              awaitGreeting(); // or the world is over before the other one comes again
            }
          } else {
            work(rpc, arguments[0], arguments[1]);
          }
        });
  }

  private static void serve(Rpc rpc) {
    Linear network = new Linear(4, 3, new Random(1));
    Linear twin = new Linear(4, 3, new Random(1));
    Predictor predictor = new Predictor(twin, twin::forward, Shape.of(4));
    ModelServer model = new ModelServer(network, predictor, Batching.STANDARD);
    GatewayExtension.open(rpc, Exports.of().with(model)).await();
  }

  private static void work(Rpc rpc, String task, String word) {
    boolean fails =
        switch (task) {
          case "--fail" -> true;
          case "--fail-once" -> rpc.rpcSync("worker0", UserMain::isFirstLife, rpc.self().id());
          default -> false;
        };
    if (fails) {
      throw new IllegalStateException("asked to fail");
    }
    if (task.equals("--report")) {
      rpc.progress().start(3);
      for (int step = 1; step <= 3; step++) {
        rpc.progress().step(32, 1f / step);
      }
      rpc.progress().scalar("accuracy", 0.75);
    }
    if (task.equals("--wait")) {
      System.out.println("waits");
      while (true) {
        LockSupport.park();
      }
    }
    if (task.equals("--until-attached")) {
      System.out.println("waits");
      while (!isAttached) {
        Thread.onSpinWait();
      }
    }
    System.out.printf(
        "%s of %d: %s from %s%n",
        rpc.self().name(), rpc.workers().size(), word, rpc.rpcSync("worker0", UserMain::where));
  }
}
