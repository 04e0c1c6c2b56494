// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.checkpoint;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The checkpoints of one run in one folder: the newest ones, and the best. After PyTorch
/// Lightning's `ModelCheckpoint`.
///
/// ```
/// epoch-8  epoch-9  epoch-10      the newest three
/// best                            the one that was best, whenever that was
/// unfinished                      within the epoch after these
/// ```
///
/// A write that is cut off leaves the older ones. One process writes to a folder at a time.
public final class Checkpoints {
  private static final Pattern NUMBERED = Pattern.compile("epoch-(\\d{1,18})");

  private final Path folder;
  private final int kept;

  /// Checkpoints in this folder, which is made when the first is saved.
  ///
  /// @param kept how many of the newest are kept
  /// @throws IllegalArgumentException if that is below 1
  public Checkpoints(Path folder, int kept) {
    if (kept < 1) {
      throw new IllegalArgumentException(
          "checkpoints: to keep the newest " + kept + " is to keep none; give 1 or more");
    }
    this.folder = folder;
    this.kept = kept;
  }

  /// Writes a checkpoint at the end of an epoch, and then deletes those that are no longer among
  /// the newest.
  ///
  /// @param epoch its number
  /// @param isBest whether it takes the place of the best, too
  /// @throws CheckpointException if it cannot be written
  public void save(Checkpoint checkpoint, long epoch, boolean isBest) {
    checkpoint.save(folder.resolve("epoch-" + epoch));
    if (isBest) {
      checkpoint.save(best());
    }
    List<Path> present = numbered();
    present.subList(Math.min(kept, present.size()), present.size()).forEach(Checkpoints::delete);
    if (Files.exists(unfinished())) {
      delete(unfinished());
    }
  }

  /// Writes a checkpoint within an epoch. It is the newest until the epoch's own is written.
  ///
  /// @throws CheckpointException if it cannot be written
  public void saveUnfinished(Checkpoint checkpoint) {
    checkpoint.save(unfinished());
  }

  private Path unfinished() {
    return folder.resolve("unfinished");
  }

  /// The folder of the best checkpoint.
  public Path best() {
    return folder.resolve("best");
  }

  /// The folder of the newest checkpoint that is whole, if there is one.
  public Optional<Path> newest() {
    return Stream.concat(Stream.of(unfinished()), numbered().stream())
        .filter(path -> new Folder(path).hasManifest())
        .findFirst();
  }

  /// The newest first.
  private List<Path> numbered() {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries
          .filter(path -> NUMBERED.matcher(path.getFileName().toString()).matches())
          .sorted(Comparator.comparingLong(Checkpoints::number).reversed())
          .toList();
    } catch (NoSuchFileException e) {
      return List.of();
    } catch (IOException e) {
      throw unusable(folder, e);
    }
  }

  private static long number(Path path) {
    return Long.parseLong(path.getFileName().toString().substring("epoch-".length()));
  }

  /// Deletes the files and then the folder, but no folders in it, which are not ours.
  private static void delete(Path checkpoint) {
    try (Stream<Path> files = Files.list(checkpoint)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
      Files.delete(checkpoint);
    } catch (IOException | UncheckedIOException e) {
      throw unusable(checkpoint, e);
    }
  }

  private static CheckpointException unusable(Path path, Exception cause) {
    return new CheckpointException(
        "checkpoints %s: cannot be read or deleted (%s); check the folder".formatted(path, cause),
        cause);
  }
}
