// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.application;

import dev.tensorbus.launch.Jvm;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.verticles.log.Logs;
import dev.tensorbus.verticles.progress.Display;
import dev.tensorbus.verticles.worker.Failure;
import dev.tensorbus.verticles.worker.MasterPort;
import dev.tensorbus.verticles.world.LocalWorld;
import dev.tensorbus.verticles.world.OnLoss;
import dev.tensorbus.verticles.world.UserWorld;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Starts a world from a main of one's own, as an IDE or plain `java` runs it. The same main runs
/// under `tensorbus run` and torchrun, whose workers it joins. After `torch.multiprocessing.spawn`.
public final class Launcher {
  /// The variable that every launcher of workers sets.
  private static final String RANK = "RANK";

  private Launcher() {}

  /// Does this work in each of several workers, of which each is a process of `main`.
  ///
  /// The process that the user starts becomes their launcher: it starts them with the same
  /// arguments and all flags, shows their lines under their names, and ends with the exit code of
  /// the world. A worker that fails ends the others. In a worker this is [Rpc#run(Consumer)]. So
  /// `main` goes on after this call in the workers only.
  ///
  /// @param main the class whose main makes this call; for the main of a Kotlin file, that is
  ///     `MethodHandles.lookup().lookupClass()`
  /// @param arguments those that its main was given
  /// @param workers how many there are, on this machine
  /// @param work begins when every worker is there
  /// @throws IllegalArgumentException if `main` has no main, or there are no workers
  public static void run(Class<?> main, String[] arguments, int workers, Consumer<Rpc> work) {
    if (System.getenv(RANK) == null) {
      System.exit(start(main, List.of(arguments), workers));
    }
    Rpc.run(work);
  }

  /// Gives the exit code of the world.
  private static int start(Class<?> main, List<String> arguments, int workers) {
    requireMain(main);
    if (workers < 1) {
      throw new IllegalArgumentException(workers + " workers; expected at least 1");
    }
    List<String> words = new ArrayList<>(List.of(main.getName()));
    words.addAll(arguments);
    Logs.begin(); // this process is the workers' launcher from now on
    UserWorld world = UserWorld.here(workers, MasterPort.announceFree());
    try (Display display = Display.onThisScreen()) {
      return LocalWorld.run(world.commands(Jvm.current(), words), 0, OnLoss.STOP, display);
    } catch (InterruptedException e) {
      return Failure.INTERRUPTED; // the shutdown hook stops the workers
    }
  }

  /// Or each worker would say the same.
  private static void requireMain(Class<?> main) {
    try {
      Method _ = main.getDeclaredMethod("main", String[].class);
    } catch (NoSuchMethodException e) {
      throw new IllegalArgumentException(
          main.getName() + " has no main(String[]); give the class whose main calls Launcher.run",
          e);
    }
  }
}
