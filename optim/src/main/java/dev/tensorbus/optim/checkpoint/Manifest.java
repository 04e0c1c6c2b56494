// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.checkpoint;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// The manifest of a checkpoint: a JSON object whose last field is the checksum of all bytes before
/// it.
///
/// @param sequence number that orders the checkpoints of a folder by time; 0 for a single
///     checkpoint
/// @param files files of tensors, by content: `model` or `optimizers`
/// @param optimizers groups with settings and steps, by optimizer name
/// @param progress state of schedules and other progress, by name
/// @param settings the settings of the run; empty if none were saved
record Manifest(
    long sequence,
    Map<String, SavedFile> files,
    JsonObject optimizers,
    JsonObject progress,
    JsonObject settings) {
  private static final String NAME = "tensorbus checkpoint 2";
  private static final String FORMAT = "format";
  private static final String SEQUENCE = "sequence";
  private static final String FILES = "files";
  private static final String OPTIMIZERS = "optimizers";
  private static final String PROGRESS = "progress";
  private static final String SETTINGS = "settings";

  /// A file of tensors.
  ///
  /// @param size size in bytes
  /// @param checksum CRC-32C of the content
  record SavedFile(String name, long size, long checksum) {
    private JsonObject toJson() {
      return new JsonObject().put("name", name).put("size", size).put("crc32c", checksum);
    }

    private static SavedFile of(JsonObject json) {
      return new SavedFile(
          ManifestFields.text(json, "name"),
          ManifestFields.count(json.getValue("size"), "size"),
          ManifestFields.count(json.getValue("crc32c"), "crc32c"));
    }
  }

  /// Encodes the manifest.
  ///
  /// @throws CheckpointException if a string cannot be encoded as UTF-8
  byte[] encode() {
    JsonObject json =
        new JsonObject()
            .put(FORMAT, NAME)
            .put(SEQUENCE, sequence)
            .put(FILES, new JsonObject())
            .put(OPTIMIZERS, optimizers)
            .put(PROGRESS, progress);
    if (!settings.isEmpty()) {
      json.put(SETTINGS, settings);
    }
    files.forEach(
        (content, file) -> ManifestFields.object(json, FILES).put(content, file.toJson()));
    String text = json.encodePrettily();
    byte[] body = text.substring(0, text.lastIndexOf("\n}")).getBytes(UTF_8);
    byte[] checksum = checksum(body, body.length);
    byte[] file = Arrays.copyOf(body, body.length + checksum.length);
    System.arraycopy(checksum, 0, file, body.length, checksum.length);
    if (!decode(file).equals(this)) {
      throw new CheckpointException("a name cannot be encoded as UTF-8; rename the part");
    }
    return file;
  }

  /// Returns the encoded last field of a manifest: the checksum of its first `length` bytes.
  static byte[] checksum(byte[] bytes, int length) {
    CRC32C sum = new CRC32C();
    sum.update(bytes, 0, length);
    return ",\n  \"checksum\" : \"%08x\"\n}".formatted(sum.getValue()).getBytes(UTF_8);
  }

  /// @throws CheckpointException if the bytes are not a complete, unmodified manifest
  static Manifest decode(byte[] file) {
    int end = file.length - checksum(file, 0).length;
    boolean isWhole =
        end >= 0
            && Arrays.equals(file, end, file.length, checksum(file, end), 0, file.length - end);
    JsonObject json = parse(file);
    if (json != null && json.getValue(FORMAT) instanceof String format && !format.equals(NAME)) {
      throw new CheckpointException(
          "%s has format \"%s\", expected \"%s\"".formatted(Folder.MANIFEST, format, NAME));
    }
    if (!isWhole || json == null) {
      throw new CheckpointException(Folder.MANIFEST + " is damaged: its checksum does not match");
    }
    try {
      return of(json);
    } catch (CheckpointException e) {
      throw new CheckpointException(Folder.MANIFEST + " is not usable: " + e.getMessage(), e);
    }
  }

  private static @Nullable JsonObject parse(byte[] file) {
    try {
      return new JsonObject(new String(file, UTF_8));
    } catch (DecodeException e) {
      return null;
    }
  }

  private static Manifest of(JsonObject json) {
    JsonObject saved = ManifestFields.object(json, FILES);
    Map<String, SavedFile> files = new LinkedHashMap<>();
    for (String content : saved.fieldNames()) {
      files.put(content, SavedFile.of(ManifestFields.object(saved, content)));
    }
    ManifestFields.text(json, FORMAT);
    return new Manifest(
        ManifestFields.count(json.getValue(SEQUENCE), SEQUENCE),
        files,
        ManifestFields.object(json, OPTIMIZERS),
        ManifestFields.object(json, PROGRESS),
        json.containsKey(SETTINGS) ? ManifestFields.object(json, SETTINGS) : new JsonObject());
  }

  /// Returns the file with this content.
  ///
  /// @throws CheckpointException if there is none
  SavedFile file(String content) {
    SavedFile file = files.get(content);
    if (file == null) {
      throw new CheckpointException(
          "%s lists no file of %s tensors".formatted(Folder.MANIFEST, content));
    }
    return file;
  }
}
