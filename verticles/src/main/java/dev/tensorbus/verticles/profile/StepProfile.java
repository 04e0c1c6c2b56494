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

/// The one profile of a run, at rank 0. Others begin and end it.
final class StepProfile {
  private final Rpc rpc;
  private final Path file;
  private final Consumer<String> say;
  private boolean hasBegun;
  private volatile boolean isWritten;
  private @Nullable Profiler profiler;

  /// @param file where it is written
  /// @param say takes the line that says so
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
              throw new IllegalStateException("give --profile to rank 0 too");
            });
  }

  /// Begins it; false if another worker has.
  @Remote
  static boolean begin() {
    return here().beginNow();
  }

  /// Ends it, and writes the file.
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

  /// The run is over: says so if there is no file.
  void close() {
    if (!isWritten) {
      say.accept("no profile in " + file + ": the training was over before it ended");
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
        "profile of %d events in %s; ui.perfetto.dev opens it"
            .formatted(profile.events().size(), file));
  }
}
