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

/// How a JVM of ours is started: the one place of the flags that programs run with.
///
/// @param java the executable
/// @param classPath where the program lies
public record Jvm(Path java, String classPath) {
  /// The flags that the Vector API, Netty, Hazelcast and Fory need. Without them they fail or warn.
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
          // A young generation of a fixed size, a third of this: one that grows is made of pages
          // that were never touched, which takes longer than to compute what they hold.
          "-XX:InitialRAMPercentage=12.5",
          "-XX:-UseAdaptiveSizePolicy",
          // Two survivor spaces as large as eden, so that nearly all that lives through a
          // collection finds room there. The rest goes to the old generation, whose memory is
          // touched for the first time then: a step of ResNet-18 took 800 ms, not 550.
          "-XX:SurvivorRatio=1",
          // Pictures are drawn without a screen.
          "-Djava.awt.headless=true",
          // No file of ours lies on the class path for Vert.x to unpack; the folder that it would
          // do so in stays when a process is killed.
          "-Dvertx.disableFileCPResolving=true",
          // Errors only, and not that an archive of classes does not fit.
          "-Xlog:disable",
          "-Xlog:all=error,cds*=off,aot*=off:stderr");

  /// A JVM that is told of two collectors does not start.
  private static final String COLLECTOR = "-XX:+UseParallelGC";

  private static final Pattern ANY_COLLECTOR = Pattern.compile("-XX:\\+Use\\w+GC\\b");

  /// Where a JVM finds flags besides its command line.
  static final List<String> VARIABLES =
      List.of("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS");

  /// How fresh arrays find memory (docs/memory.md). A flag that only Linux knows.
  private static final String HUGE_PAGES = "-XX:+UseTransparentHugePages";

  /// Those of our flags that are not among a JVM's own.
  ///
  /// @param own the flags that the JVM was started with
  public static List<String> missingFrom(List<String> own) {
    return missingFrom(own, System.getenv());
  }

  static List<String> missingFrom(List<String> own, Map<String, String> environment) {
    return flags(environment).stream().filter(flag -> !own.contains(flag)).toList();
  }

  /// All flags. The collector is left to those who name one in the environment.
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

  /// The JVM and the class path of this process. A module path is a part of it, because our
  /// processes run on the class path, for which the flags are.
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

  /// A module path may name a folder of jars, for which a class path has another word. No `Path`
  /// on Windows has a star.
  private static String jarsOf(String entry) {
    Path place = Path.of(entry);
    boolean isModule = entry.isEmpty() || Files.exists(place.resolve("module-info.class"));
    return Files.isDirectory(place) && !isModule ? entry + File.separator + "*" : entry;
  }

  /// The command that runs `program`, which then ends when this process does.
  public List<String> command(String program, List<String> arguments) {
    return command(List.of(), program, arguments);
  }

  /// The same with more flags for the JVM, such as `-Dname=value`.
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

  /// The archive of classes that the build lays beside the first jar of the class path, to start in
  /// half the time. The JVM passes over one that was made by another JDK or from another jar.
  public Path archive() {
    String first = classPath.split(File.pathSeparator, 2)[0];
    return Path.of(first.replaceFirst("(\\.jar)?$", ".jsa"));
  }
}
