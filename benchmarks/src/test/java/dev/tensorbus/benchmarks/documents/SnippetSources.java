// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.documents;

import static java.util.stream.Collectors.joining;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Makes compilation units of snippets.
final class SnippetSources {
  private static final Pattern WRAPPER =
      Pattern.compile(
          "(method|members)\\((.*?)\\)(?: in (\\S+))?(?: returns (\\S+))?(?: extends (\\S+))?"
              + "(?: import (.*))?",
          Pattern.DOTALL);

  private static final Pattern TYPE = Pattern.compile("(?m)^public (?:final )?class (\\w+)");

  /// A comma that stands between two parameters, not between arguments of a type.
  private static final Pattern COMMA = Pattern.compile(", (?![^<]*>)");

  /// The imports that fragments need not state.
  private static final String IMPORTS =
      Stream.of(
              "dev.tensorbus.autograd.*",
              "dev.tensorbus.autograd.onnx.*",
              "dev.tensorbus.nn.*",
              "dev.tensorbus.nn.functional.*",
              "dev.tensorbus.nn.recurrent.*",
              "dev.tensorbus.optim.*",
              "dev.tensorbus.optim.distributed.*",
              "dev.tensorbus.optim.schedule.*",
              "dev.tensorbus.optim.update.*",
              "dev.tensorbus.rpc.*",
              "dev.tensorbus.rpc.autograd.*",
              "dev.tensorbus.rpc.parallel.*",
              "io.vertx.core.Future",
              "io.vertx.core.Promise",
              "io.vertx.core.Vertx",
              "java.nio.file.Path",
              "java.time.Duration",
              "java.util.*")
          .map(name -> "import " + name + ";")
          .collect(joining(" "));

  private final Map<String, String> sources = new LinkedHashMap<>();
  private final Map<String, Snippet> wrapped = new LinkedHashMap<>();

  /// Adds a snippet; several excerpts of one file make one compilation unit.
  ///
  /// @return the name of its source
  String add(Snippet snippet) {
    String how = snippet.how();
    if (how == null) {
      return put(typeOf(snippet), snippet.code(), snippet);
    }
    if (how.startsWith("file ")) {
      return addExcerpt(Pages.ROOT.resolve(how.substring("file ".length())), snippet);
    }
    Matcher wrapper = WRAPPER.matcher(how);
    if (!wrapper.matches()) {
      throw new IllegalArgumentException(
          snippet + ": \"" + how + "\" is no way to compile it; Snippet lists the ways");
    }
    String type = "Snippet" + sources.size();
    return put(type, wrap(type, wrapper, snippet.code()), snippet);
  }

  /// All compilation units, by the name of their type or file.
  Map<String, String> sources() {
    return sources;
  }

  /// The place in a page of a line of a source, for messages.
  String place(String source, long line) {
    Snippet snippet = wrapped.get(source);
    return snippet == null
        ? source + ":" + line
        : Pages.name(snippet.page()) + ":" + (snippet.line() + line - firstLine(snippet));
  }

  private static int firstLine(Snippet snippet) {
    return snippet.how() == null ? 1 : 2;
  }

  private String put(String source, String code, Snippet snippet) {
    sources.put(source, code);
    wrapped.put(source, snippet);
    return source;
  }

  private static String typeOf(Snippet unit) {
    Matcher type = TYPE.matcher(unit.code());
    if (!type.find()) {
      throw new IllegalArgumentException(
          unit
              + " has no public class; if it is a fragment, a comment above says how to compile"
              + " it");
    }
    return type.group(1);
  }

  /// The excerpt in place of what the file has there, so that the page's own text is compiled. Its
  /// paragraphs may stand apart in the file.
  private String addExcerpt(Path file, Snippet snippet) {
    String source = Pages.name(file);
    String code = sources.computeIfAbsent(source, name -> Pages.read(file));
    for (String paragraph : snippet.code().strip().split("\\n\\s*\\n")) {
      Matcher place = placeOf(paragraph).matcher(code);
      if (!place.find()) {
        throw new IllegalArgumentException(
            snippet + " is no longer in " + source + "; copy the excerpt anew");
      }
      code = code.substring(0, place.start()) + paragraph + code.substring(place.end());
    }
    sources.put(source, code);
    return source;
  }

  /// A paragraph, however it is indented.
  private static Pattern placeOf(String paragraph) {
    return Pattern.compile(
        Stream.of(paragraph.strip().split("\\s+")).map(Pattern::quote).collect(joining("\\s+")));
  }

  private static String wrap(String type, Matcher wrapper, String code) {
    String parameters = wrapper.group(2);
    boolean isMethod = wrapper.group(1).equals("method");
    String head =
        (wrapper.group(3) == null ? "" : "package " + wrapper.group(3) + "; ")
            + IMPORTS
            + (wrapper.group(6) == null ? "" : imports(wrapper.group(6)))
            + " class "
            + type
            + (wrapper.group(5) == null ? "" : " extends " + wrapper.group(5));
    String result = wrapper.group(4) == null ? "void" : wrapper.group(4);
    return isMethod
        ? "%s { %s run(%s) throws Exception {%n%s}}".formatted(head, result, parameters, code)
        : "%s { %s%n%s}".formatted(head, fields(parameters), code);
  }

  private static String imports(String types) {
    return List.of(types.split(",\\s*")).stream()
        .map(name -> " import " + name + ";")
        .collect(joining());
  }

  private static String fields(String parameters) {
    return COMMA
        .splitAsStream(parameters)
        .filter(field -> !field.isBlank())
        .map(field -> field + "; ")
        .collect(joining());
  }
}
