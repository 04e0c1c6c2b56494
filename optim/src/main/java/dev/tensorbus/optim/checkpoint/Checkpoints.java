// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.checkpoint;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The checkpoints of one run in a folder: the newest ones and the best. Like PyTorch Lightning's
/// `ModelCheckpoint`.
///
/// ```
/// epoch-8  epoch-9  epoch-10      the three newest ones
/// best                            the best one so far
/// unfinished                      saved within the current epoch
/// ```
///
/// The newest checkpoint is the one written last, whatever its number: a run that resumes from an
/// earlier epoch writes lower numbers than before.
///
/// An interrupted write leaves the older checkpoints intact. Only one run may write to a folder at
/// a time; a second run fails.
public final class Checkpoints {
  private static final System.Logger LOGGER = System.getLogger(Checkpoints.class.getName());
  private static final Pattern NUMBERED = Pattern.compile("epoch-\\d{1,18}");

  private final Path folder;
  private final int kept;

  /// The sequence number of the last checkpoint that this object wrote; 0 before the first.
  private long written;

  /// Manages checkpoints in a folder, which the first save creates.
  ///
  /// @param kept how many of the newest checkpoints to keep
  /// @throws IllegalArgumentException if `kept` is below 1
  public Checkpoints(Path folder, int kept) {
    if (kept < 1) {
      throw new IllegalArgumentException("checkpoints: kept is " + kept + "; expected 1 or more");
    }
    this.folder = folder;
    this.kept = kept;
  }

  /// A checkpoint in the folder.
  ///
  /// @param sequence number that orders the checkpoints by time; -1 if it cannot be read
  private record Saved(Path path, long sequence) {
    static final Comparator<Saved> BY_SEQUENCE = Comparator.comparingLong(Saved::sequence);

    static Saved of(Path path) {
      try {
        return new Saved(path, new Folder(path).readManifest().sequence());
      } catch (CheckpointException | IOException e) {
        return new Saved(path, -1);
      }
    }
  }

  /// Saves a checkpoint at the end of an epoch, then deletes the checkpoints that are no longer
  /// among the newest.
  ///
  /// @param epoch number of the epoch
  /// @param isBest whether it also replaces the best checkpoint
  /// @throws CheckpointException if the checkpoint cannot be written, or another run writes to the
  ///     folder
  public void save(Checkpoint checkpoint, long epoch, boolean isBest) {
    write(checkpoint.contents(), epoch, isBest);
  }

  /// Does the same as [#save] with contents that were taken before.
  ///
  /// @throws CheckpointException as [#save]
  public void write(Contents contents, long epoch, boolean isBest) {
    locked(
        () -> {
          if (isBest) { // best first: a run interrupted between the two writes repeats this epoch
            write(best(), contents);
          }
          write(folder.resolve("epoch-" + epoch), contents);
          deleteOld();
        });
  }

  /// Saves a checkpoint within an epoch. It is the newest one until the checkpoint at the end of
  /// the epoch replaces it.
  ///
  /// @throws CheckpointException if the checkpoint cannot be written, or another run writes to the
  ///     folder
  public void saveUnfinished(Checkpoint checkpoint) {
    writeUnfinished(checkpoint.contents());
  }

  /// Does the same as [#saveUnfinished] with contents that were taken before.
  ///
  /// @throws CheckpointException as [#saveUnfinished]
  public void writeUnfinished(Contents contents) {
    locked(() -> write(unfinished(), contents));
  }

  /// Continues the checkpoints of another writer of the same run, such as a trainer that has died.
  public void takeOver() {
    written = 0;
  }

  /// An action on the files of the folder.
  @FunctionalInterface
  private interface Action {
    void run() throws IOException;
  }

  private void locked(Action action) {
    try {
      Folder.create(folder);
      try (WriteLock _ = lock()) {
        requireNoOtherRun();
        action.run();
      }
    } catch (IOException | UncheckedIOException e) {
      throw unusable(e);
    }
  }

  private WriteLock lock() throws IOException {
    try {
      return WriteLock.of(folder);
    } catch (CheckpointException e) {
      throw new CheckpointException("checkpoints %s: %s".formatted(folder, e.getMessage()), e);
    }
  }

  private void requireNoOtherRun() {
    Saved latest = latest();
    if (written > 0 && latest.sequence() > written) {
      throw new CheckpointException(
          ("checkpoints %s: another run has written %s since this run's last checkpoint; stop one"
                  + " of them, or use separate folders")
              .formatted(folder, latest.path().getFileName()));
    }
  }

  private void write(Path path, Contents contents) {
    long next = Math.max(written, latest().sequence()) + 1;
    Checkpoint.write(path, contents, next);
    written = next;
  }

  private Saved latest() {
    return Stream.concat(Stream.of(unfinished(), best()), numbered().stream())
        .map(Saved::of)
        .max(Saved.BY_SEQUENCE)
        .orElseThrow();
  }

  private void deleteOld() throws IOException {
    List<Saved> present =
        numbered().stream().map(Saved::of).sorted(Saved.BY_SEQUENCE.reversed()).toList();
    for (Saved old : present.subList(Math.min(kept, present.size()), present.size())) {
      new Folder(old.path()).delete();
    }
    if (Files.exists(unfinished())) {
      new Folder(unfinished()).delete();
    }
  }

  private Path unfinished() {
    return folder.resolve("unfinished");
  }

  /// Returns the folder of the best checkpoint.
  public Path best() {
    return folder.resolve("best");
  }

  /// Returns the folder of the newest complete checkpoint, if there is one. Skips folders in which
  /// a save or a deletion was interrupted. Skips damaged checkpoints and logs a warning.
  ///
  /// @throws CheckpointException if all checkpoints are damaged
  public Optional<Path> newest() {
    List<CheckpointException> damaged = new ArrayList<>();
    Optional<Path> newest =
        Stream.concat(Stream.of(unfinished()), numbered().stream())
            .filter(path -> new Folder(path).hasManifest())
            .map(Saved::of)
            .sorted(Saved.BY_SEQUENCE.reversed())
            .map(Saved::path)
            .filter(path -> isWhole(path, damaged))
            .findFirst();
    if (newest.isEmpty() && !damaged.isEmpty()) {
      throw damaged.getFirst();
    }
    damaged.forEach(problem -> LOGGER.log(Level.WARNING, problem::getMessage));
    return newest;
  }

  private static boolean isWhole(Path path, List<CheckpointException> damaged) {
    try {
      new Folder(path).requireWhole();
      return true;
    } catch (CheckpointException | IOException e) {
      damaged.add(
          new CheckpointException(
              "checkpoint %s: %s; restore another checkpoint, or delete this one"
                  .formatted(path, e.getMessage()),
              e));
      return false;
    }
  }

  private List<Path> numbered() {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries
          .filter(path -> NUMBERED.matcher(path.getFileName().toString()).matches())
          .filter(path -> Files.isDirectory(path))
          .toList();
    } catch (NoSuchFileException e) {
      return List.of();
    } catch (IOException e) {
      throw unusable(e);
    }
  }

  private CheckpointException unusable(Exception cause) {
    return new CheckpointException(
        "checkpoints %s: cannot be read or deleted (%s); check the folder".formatted(folder, cause),
        cause);
  }
}
