// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.launch;

import static java.util.stream.Collectors.joining;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Builds the command lines of our JVMs. All their flags are defined here.
///
/// @param java the executable
/// @param classPath the program's class path
public record Jvm(Path java, String classPath) {
  /// The flags that the Vector API, Netty, Hazelcast and Fory need to work without errors and
  /// warnings, and flags that tune the heap and the log.
  static final List<String> FLAGS =
      List.of(
          "--add-exports=java.base/jdk.internal.module=ALL-UNNAMED",
          "--enable-native-access=ALL-UNNAMED",
          "--sun-misc-unsafe-memory-access=allow",
          "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
          "--add-opens=java.base/java.lang=ALL-UNNAMED",
          "--add-opens=java.base/java.lang.invoke=ALL-UNNAMED",
          "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
          "--add-opens=java.management/sun.management=ALL-UNNAMED",
          "--add-opens=jdk.management/com.sun.management.internal=ALL-UNNAMED",
          // Fixes the size of the young generation, at a third of this initial heap. If it grew, it
          // would consist of untouched pages, whose first access takes longer than computing their
          // contents.
          "-XX:InitialRAMPercentage=12.5",
          "-XX:-UseAdaptiveSizePolicy",
          // Makes each survivor space as large as eden, so that nearly all survivors of a
          // collection fit. The others would be promoted to the old generation, whose memory would
          // be touched for the first time: a step of ResNet-18 took 800 ms instead of 550.
          "-XX:SurvivorRatio=1",
          // Images are drawn without a display.
          "-Djava.awt.headless=true",
          // Vert.x need not unpack files from the class path; its temporary folder would be left
          // behind after a kill.
          "-Dvertx.disableFileCPResolving=true",
          // Logs only errors, except those about a class data archive that does not match.
          "-Xlog:disable",
          "-Xlog:all=error,cds*=off,aot*=off:stderr");

  /// The default collector. A JVM for which two collectors are selected does not start.
  private static final String COLLECTOR = "-XX:+UseParallelGC";

  private static final Pattern ANY_COLLECTOR = Pattern.compile("-XX:\\+Use\\w+GC\\b");

  /// The environment variables from which a JVM reads flags.
  static final List<String> VARIABLES =
      List.of("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS");

  /// Speeds up the allocation of new arrays (docs/memory.md). Only Linux supports this flag.
  private static final String HUGE_PAGES = "-XX:+UseTransparentHugePages";

  /// Returns those of our flags with which a JVM was not started.
  ///
  /// @param own the JVM's flags
  public static List<String> missingFrom(List<String> own) {
    return missingFrom(own, System.getenv());
  }

  static List<String> missingFrom(List<String> own, Map<String, String> environment) {
    return flags(environment).stream().filter(flag -> !own.contains(flag)).toList();
  }

  /// Returns all flags. Omits the collector if the environment selects one.
  static List<String> flags(Map<String, String> environment) {
    List<String> flags = new ArrayList<>(FLAGS);
    String others =
        VARIABLES.stream().map(name -> environment.getOrDefault(name, "")).collect(joining(" "));
    if (!ANY_COLLECTOR.matcher(others).find()) {
      flags.add(COLLECTOR);
    }
    if (System.getProperty("os.name").equals("Linux")) {
      flags.add(HUGE_PAGES);
    }
    return flags;
  }

  /// Returns the JVM and the class path of this process. Adds the module path to the class path,
  /// because the processes that we start use only the class path.
  public static Jvm current() {
    Path java = Jdk.javaOf(Path.of(System.getProperty("java.home")));
    return new Jvm(
        java,
        classPath(
            System.getProperty("java.class.path"), System.getProperty("jdk.module.path", "")));
  }

  static String classPath(String classes, String modules) {
    Stream<String> entries = Stream.of(modules.split(File.pathSeparator)).map(Jvm::jarsOf);
    return Stream.concat(Stream.of(classes), entries)
        .filter(entry -> !entry.isEmpty())
        .collect(joining(File.pathSeparator));
  }

  /// Converts an entry of the module path to an entry of the class path: a folder of jars becomes
  /// `folder/*`. The star is appended to a string, since a `Path` on Windows cannot contain one.
  private static String jarsOf(String entry) {
    Path place = Path.of(entry);
    boolean isModule = entry.isEmpty() || Files.exists(place.resolve("module-info.class"));
    return Files.isDirectory(place) && !isModule ? entry + File.separator + "*" : entry;
  }

  /// Returns the command that runs `program`. The program exits when this process exits.
  public List<String> command(String program, List<String> arguments) {
    return command(List.of(), program, arguments);
  }

  /// Returns the command with additional JVM flags, such as `-Dname=value`.
  public List<String> command(List<String> flags, String program, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(java.toString());
    command.addAll(flags(System.getenv()));
    command.add(ParentWatch.flag());
    if (Files.isReadable(archive())) {
      command.add("-XX:SharedArchiveFile=" + archive());
    }
    command.addAll(flags);
    command.addAll(List.of("-cp", classPath, program));
    command.addAll(arguments);
    return command;
  }

  /// Returns the path of the [ClassArchive], beside the first jar of the class path. The JVM
  /// ignores an archive that was made with another JDK or jar.
  Path archive() {
    String first = classPath.split(File.pathSeparator, 2)[0];
    return Path.of(first.replaceFirst("(\\.jar)?$", ".jsa"));
  }
}
