// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.documents;

import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/// Compiles sources against the class path of the tests.
final class Compilation {
  private Compilation() {}

  /// @return the errors, by the name of the source
  static Map<String, List<Diagnostic<? extends JavaFileObject>>> errors(
      Map<String, String> sources, Path classes) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    var found = new DiagnosticCollector<JavaFileObject>();
    List<String> options =
        List.of(
            "-proc:none",
            "-nowarn",
            "-implicit:none",
            "-d",
            classes.toString(),
            "-cp",
            System.getProperty("java.class.path"),
            "-sourcepath", // of a test that a page shows
            Pages.ROOT.resolve("examples/quickstart/src/main/java").toString(),
            "--add-modules",
            "jdk.incubator.vector");
    List<Source> units =
        sources.entrySet().stream()
            .map(source -> new Source(source.getKey(), source.getValue()))
            .toList();
    compiler.getTask(null, null, found, options, null, units).call();
    return bySource(found.getDiagnostics());
  }

  private static Map<String, List<Diagnostic<? extends JavaFileObject>>> bySource(
      List<Diagnostic<? extends JavaFileObject>> found) {
    Map<String, List<Diagnostic<? extends JavaFileObject>>> errors = new HashMap<>();
    for (Diagnostic<? extends JavaFileObject> diagnostic : found) {
      if (diagnostic.getKind() == Diagnostic.Kind.ERROR) {
        String source = diagnostic.getSource() instanceof Source known ? known.name : "javac";
        errors.merge(source, List.of(diagnostic), Compilation::join);
      }
    }
    return errors;
  }

  private static <T> List<T> join(List<T> before, List<T> after) {
    return Stream.concat(before.stream(), after.stream()).toList();
  }

  /// The text of javac's error.
  static String message(Diagnostic<? extends JavaFileObject> error) {
    return error.getMessage(Locale.ROOT);
  }

  private static final class Source extends SimpleJavaFileObject {
    private final String name;
    private final String code;

    /// @param name the type's name, or the path of its file
    Source(String name, String code) {
      String file = name.endsWith(".java") ? name : name + ".java";
      super(URI.create("string:///" + file), Kind.SOURCE);
      this.name = name;
      this.code = code;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return code;
    }
  }
}
