// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx.runtime;

import ai.onnxruntime.OrtEnvironment;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/// Unpacks the native libraries of ONNX Runtime's jar and deletes the files once they are loaded.
///
/// ONNX Runtime itself unpacks them into a folder that it never deletes. The folder is empty after
/// a normal exit, but keeps 28 MB of libraries if the process is killed.
final class NativeFiles {
  private static final Logger LOG = System.getLogger(NativeFiles.class.getName());

  /// The system property for the folder in which ONNX Runtime looks for its libraries before it
  /// unpacks them.
  private static final String PATH = "onnxruntime.native.path";

  private static final String OWN = "tensorbus-onnxruntime-";
  private static final String THEIRS = "onnxruntime-java";
  private static final List<String> NAMES = List.of("onnxruntime", "onnxruntime4j_jni");

  /// A library that only GPU builds contain. GPU builds load more libraries later, so ONNX Runtime
  /// must unpack its libraries itself.
  private static final String OF_GPU_BUILDS = "onnxruntime_providers_cuda";

  /// The age below which a folder is not deleted, since another process may be about to fill it.
  private static final long NEW_MILLIS = TimeUnit.SECONDS.toMillis(10);

  private NativeFiles() {}

  /// Returns the result of `open`. The unpacked libraries exist only while `open` runs.
  static <T> T during(Supplier<T> open) {
    Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
    sweep(temporary);
    if (System.getProperty(PATH) != null || !isIn(NAMES.getFirst()) || isIn(OF_GPU_BUILDS)) {
      return open.get();
    }
    Path folder = unpack(temporary);
    System.setProperty(PATH, folder.toString());
    try {
      return open.get();
    } finally {
      System.clearProperty(PATH);
      remove(folder);
    }
  }

  private static Path unpack(Path temporary) {
    try {
      String prefix = OWN + ProcessHandle.current().pid() + "-";
      Path folder = Files.createTempDirectory(temporary, prefix);
      for (String name : NAMES) {
        try (InputStream library = OrtEnvironment.class.getResourceAsStream(resource(name))) {
          if (library != null) {
            Files.copy(library, folder.resolve(file(name)));
          }
        }
      }
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isIn(String name) {
    return OrtEnvironment.class.getResource(resource(name)) != null;
  }

  private static String file(String name) {
    return System.mapLibraryName(name).replace("jnilib", "dylib");
  }

  /// Returns the name of a library as a resource in ONNX Runtime's jar.
  private static String resource(String name) {
    String os = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    String system = os.contains("mac") ? "osx" : os.contains("win") ? "win" : "linux";
    String arch = System.getProperty("os.arch");
    String processor = arch.equals("amd64") || arch.equals("x86_64") ? "x64" : arch;
    return "/ai/onnxruntime/native/" + system + "-" + processor + "/" + file(name);
  }

  /// Deletes the folders that killed processes left behind: ours, and ONNX Runtime's if they are
  /// empty.
  private static void sweep(Path temporary) {
    try (DirectoryStream<Path> folders =
        Files.newDirectoryStream(temporary, "{" + OWN + "," + THEIRS + "}*")) {
      for (Path folder : folders) {
        long age = System.currentTimeMillis() - Files.getLastModifiedTime(folder).toMillis();
        if (age > NEW_MILLIS && !isOfLiving(folder)) {
          remove(folder);
        }
      }
    } catch (IOException e) {
      LOG.log(Level.DEBUG, () -> "cannot look for old folders in " + temporary + ": " + e);
    }
  }

  private static boolean isOfLiving(Path folder) {
    String name = String.valueOf(folder.getFileName());
    if (!name.startsWith(OWN)) {
      return false;
    }
    String pid = name.substring(OWN.length()).split("-", 2)[0];
    return ProcessHandle.of(Long.parseLong(pid)).isPresent();
  }

  /// Deletes a folder. A loaded library stays mapped after its file is deleted. Some systems refuse
  /// to delete such a file; a later process then deletes the folder.
  private static void remove(Path folder) {
    try {
      if (String.valueOf(folder.getFileName()).startsWith(OWN)) {
        for (String name : NAMES) {
          Files.deleteIfExists(folder.resolve(file(name)));
        }
      }
      Files.deleteIfExists(folder);
    } catch (IOException e) {
      LOG.log(Level.DEBUG, () -> "cannot delete " + folder + ": " + e);
    }
  }
}
