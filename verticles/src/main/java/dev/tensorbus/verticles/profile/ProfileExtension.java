// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.profile;

import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.verticles.Progress;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.UsageException;
import dev.tensorbus.verticles.WorkerExtension;
import dev.tensorbus.verticles.WorkerOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Takes a profile of some steps into a file. The worker whose steps come first has rank 0 begin
/// and end it; rank 0 writes the file.
public final class ProfileExtension implements WorkerExtension {
  private final Path file;
  private final Consumer<String> say;
  private final ProfiledSteps steps = new ProfiledSteps();
  private volatile @Nullable StepProfile profile;

  private ProfileExtension(Path file, Consumer<String> say) {
    this.file = file;
    this.say = say;
  }

  /// That of a worker, if its options ask for one.
  ///
  /// @param say takes the line that tells of the file
  /// @throws UsageException if there can be no such file
  public static Optional<ProfileExtension> of(WorkerOptions options, Consumer<String> say) {
    check(options);
    return options.path(Setting.PROFILE).map(file -> new ProfileExtension(file, say));
  }

  /// Refuses a file that cannot be written, before there is something to lose.
  ///
  /// @throws UsageException if the options name one
  public static void check(WorkerOptions options) {
    options.path(Setting.PROFILE).ifPresent(ProfileExtension::requirePlace);
  }

  private static void requirePlace(Path file) {
    Path folder = file.toAbsolutePath().getParent();
    if (Files.isDirectory(file) || folder == null || !Files.isWritable(folder)) {
      throw new UsageException(
          "%s is %s; expected a file in a folder that is there and that may be written to"
              .formatted(Setting.PROFILE.option(), file));
    }
  }

  /// Where the worker is to report its progress.
  public Progress progress() {
    return steps;
  }

  @Override
  public Future<?> start(Vertx vertx, Rpc rpc) {
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
