// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.profile;

import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.observe.profiler.Profile;
import dev.tensorbus.rpc.observe.profiler.Profiler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The profile of a run, on rank 0. Workers start and stop it with remote calls.
final class StepProfile {
  private final Rpc rpc;
  private final Path file;
  private final Consumer<String> say;
  private boolean hasBegun;
  private volatile boolean isWritten;
  private @Nullable Profiler profiler;

  /// @param file the file to write
  /// @param say shows lines to the user
  StepProfile(Rpc rpc, Path file, Consumer<String> say) {
    this.rpc = rpc;
    this.file = file;
    this.say = say;
  }

  private static StepProfile here() {
    return Rpc.current()
        .shared(
            StepProfile.class,
            () -> {
              throw new IllegalStateException("rank 0 has no --profile; set it there too");
            });
  }

  /// Starts the profile; returns false if another worker has already started it.
  @Remote
  static boolean begin() {
    return here().beginNow();
  }

  /// Stops the profile and writes the file.
  @Remote
  static void end() {
    here().endNow();
  }

  private boolean beginNow() {
    synchronized (this) {
      if (hasBegun) {
        return false;
      }
      hasBegun = true;
    }
    Profiler started = Profiler.start(rpc);
    synchronized (this) {
      profiler = started;
    }
    return true;
  }

  /// Called at the end of the run: notifies the user if no file was written.
  void close() {
    if (!isWritten) {
      say.accept("no profile written to " + file + ": the training ended first");
    }
  }

  private void endNow() {
    Profiler started;
    synchronized (this) {
      started = Objects.requireNonNull(profiler);
    }
    Profile profile = started.stop();
    try {
      profile.exportChromeTrace(file);
    } catch (IOException e) {
      throw new UncheckedIOException("profile: cannot write " + file + ": " + e, e);
    }
    isWritten = true;
    say.accept(
        "wrote a profile of %d events to %s; open it in ui.perfetto.dev"
            .formatted(profile.events().size(), file));
  }
}
