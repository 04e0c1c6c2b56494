// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.profile;

import dev.tensorbus.rpc.Progress;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.WorkerExtension;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.UsageException;
import dev.tensorbus.verticles.WorkerOptions;
import io.vertx.core.Future;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Writes a profile of some steps to a file. The first worker to reach these steps starts and stops
/// the profile on rank 0, which writes the file.
public final class ProfileExtension implements WorkerExtension {
  private final Path file;
  private final Consumer<String> say;
  private final ProfiledSteps steps = new ProfiledSteps();
  private volatile @Nullable StepProfile profile;

  private ProfileExtension(Path file, Consumer<String> say) {
    this.file = file;
    this.say = say;
  }

  /// Returns the extension of a worker; empty unless its options enable it.
  ///
  /// @param say shows a line with the file's name to the user
  /// @throws UsageException if the file cannot be written
  public static Optional<ProfileExtension> of(WorkerOptions options, Consumer<String> say) {
    check(options);
    return options.path(Setting.PROFILE).map(file -> new ProfileExtension(file, say));
  }

  /// Checks, before the training, that the file can be written.
  ///
  /// @throws UsageException if it cannot be written
  public static void check(WorkerOptions options) {
    options.path(Setting.PROFILE).ifPresent(ProfileExtension::requirePlace);
  }

  private static void requirePlace(Path file) {
    Path folder = file.toAbsolutePath().getParent();
    if (Files.isDirectory(file) || folder == null || !Files.isWritable(folder)) {
      throw new UsageException(
          "%s is %s; expected a file in an existing folder with write permission"
              .formatted(Setting.PROFILE.option(), file));
    }
  }

  /// Returns the [Progress] that the worker must report to.
  public Progress progress() {
    return steps;
  }

  @Override
  public Future<?> start(Rpc rpc) {
    if (rpc.self().id() == 0) {
      profile = rpc.shared(StepProfile.class, () -> new StepProfile(rpc, file, say));
    }
    steps.start(rpc);
    return Future.succeededFuture();
  }

  @Override
  public Future<?> stop() {
    StepProfile begun = profile;
    if (begun != null) {
      begun.close();
    }
    return Future.succeededFuture();
  }
}
