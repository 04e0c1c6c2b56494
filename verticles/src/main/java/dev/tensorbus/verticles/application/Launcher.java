// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.application;

import dev.tensorbus.launch.Jvm;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.WorkerOptions;
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

/// Starts a world from an application's own `main`, as run by an IDE or plain `java`. Under
/// `tensorbus run` or torchrun, the same `main` joins the world of that launcher instead. Modelled
/// on `torch.multiprocessing.spawn`.
public final class Launcher {
  /// The environment variable that every launcher sets for its workers.
  private static final String RANK = "RANK";

  private Launcher() {}

  /// Runs `work` in several workers, each in a separate process that runs `main`.
  ///
  /// The process that the user starts becomes the launcher: it starts the workers with its own
  /// arguments and JVM flags, prefixes their output with their names, and exits with the exit code
  /// of the world. If a worker fails, the others are stopped. In a worker, this method is
  /// equivalent to [Rpc#run(Consumer)]. Code in `main` after this call runs only in the workers.
  ///
  /// @param main the class whose main makes this call; in a Kotlin file,
  ///     `MethodHandles.lookup().lookupClass()`
  /// @param arguments the arguments of the main method
  /// @param workers the number of workers, all on this machine
  /// @param work runs once all workers have joined
  /// @throws IllegalArgumentException if `main` has no main method, or `workers` is below 1
  public static void run(Class<?> main, String[] arguments, int workers, Consumer<Rpc> work) {
    if (System.getenv(RANK) == null) {
      System.exit(start(main, List.of(arguments), workers));
    }
    Rpc.run(work);
  }

  /// Starts the workers and returns the exit code of the world.
  private static int start(Class<?> main, List<String> arguments, int workers) {
    requireMain(main);
    if (workers < 1) {
      throw new IllegalArgumentException(workers + " workers; expected at least 1");
    }
    List<String> words = new ArrayList<>(List.of(main.getName()));
    words.addAll(arguments);
    Logs.begin(); // this process is the workers' launcher from now on
    WorkerOptions shown =
        ObservedWorker.options(ObservedWorker.SETTINGS.given(System.getenv()), Setting::variable);
    UserWorld world =
        UserWorld.here(workers, MasterPort.announceFree(), shown.optionalInt(Setting.DEBUG));
    try (Display display = Display.onThisScreen(shown)) {
      return LocalWorld.run(world.commands(Jvm.current(), words), 0, OnLoss.STOP, display);
    } catch (InterruptedException e) {
      return Failure.INTERRUPTED; // the shutdown hook stops the workers
    }
  }

  /// Checks the class here, so that an error is reported once and not by each worker.
  private static void requireMain(Class<?> main) {
    try {
      Method _ = main.getDeclaredMethod("main", String[].class);
    } catch (NoSuchMethodException e) {
      throw new IllegalArgumentException(
          main.getName() + " has no main(String[]); pass the class whose main calls Launcher.run",
          e);
    }
  }
}
