// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// [Calls] and [ObjectCalls] have a method for each way to call, kind of method and number of
/// arguments, all made from the template in this class. To change them, change the template and run
/// this class as a program in the module's folder: it writes both files again, and the formatter
/// then breaks their lines.
class CallArityTest {
  private static final int MAX_ARGUMENTS = 8;
  private static final String LETTERS = "ABCDEFGH";
  private static final List<String> NUMBERS =
      List.of("no", "one", "two", "three", "four", "five", "six", "seven", "eight");

  /// The interfaces. The methods of an object have its type as their first parameter.
  private enum File {
    CALLS("Calls", "CharSequence to", 0),
    OBJECT_CALLS("ObjectCalls", "", 1);

    private final String name;
    private final String receiver;
    private final int bound;

    File(String name, String receiver, int bound) {
      this.name = name;
      this.receiver = receiver;
      this.bound = bound;
    }

    private Path path() {
      return Path.of("src/main/java/dev/tensorbus/rpc", name + ".java");
    }
  }

  /// The ways to call.
  private enum Way {
    RPC_SYNC("rpcSync", "call", "%s", "waits for its result", "waits until it has run"),
    RPC_ASYNC(
        "rpcAsync",
        "send",
        "Future<%s>",
        "returns a future of its result",
        "returns a future of its completion"),
    REMOTE(
        "remote",
        "create",
        "RRef<%s>",
        "returns a reference to its result",
        "returns a reference to null, its result");

    private final String name;
    private final String target;
    private final String type;
    private final String effect;
    private final String voidEffect;

    Way(String name, String target, String type, String effect, String voidEffect) {
      this.name = name;
      this.target = target;
      this.type = type;
      this.effect = effect;
      this.voidEffect = voidEffect;
    }
  }

  /// The kinds of methods: those that return a value, those that return a future (asynchronous
  /// ones), and those that return nothing.
  private enum Kind {
    F("a method"),
    A("an asynchronous method"),
    V("a void method");

    private final String phrase;

    Kind(String phrase) {
      this.phrase = phrase;
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyArityFollowsFromTheTemplate(File file) throws IOException {
    String source = Files.readString(file.path());
    assertThat(inOneLine(source)).endsWith(inOneLine(methods(file)));
  }

  static void main() throws IOException {
    for (File file : File.values()) {
      String source = Files.readString(file.path());
      int first = source.indexOf("default <R> R rpcSync(");
      int start = source.lastIndexOf("  ///", first);
      Files.writeString(file.path(), source.substring(0, start) + methods(file));
    }
  }

  /// A formatter breaks lines where it likes.
  private static String inOneLine(String source) {
    return source.replaceAll("\\s*///", " ///").replaceAll("\\s+", " ").replaceAll("\\( ", "(");
  }

  private static String methods(File file) {
    StringBuilder text = new StringBuilder();
    for (Way way : Way.values()) {
      for (Kind kind : Kind.values()) {
        for (int arity = file.bound; arity <= MAX_ARGUMENTS; arity++) {
          text.append(method(file, way, kind, arity));
        }
      }
      text.append(named(file, way));
    }
    return text.toString().stripTrailing() + "\n}\n";
  }

  private static String method(File file, Way way, Kind kind, int arity) {
    List<String> own =
        LETTERS.substring(file.bound, arity).chars().mapToObj(Character::toString).toList();
    String all = (file.bound == 1 ? "T" : "") + LETTERS.substring(file.bound, arity);
    String result = kind == Kind.V ? "" : "R";
    String function = kind + "" + arity + generic(letters(all + result)) + " function";
    String parameters =
        join(
            file.receiver,
            function,
            own.stream().map(type -> type + " " + value(type)).collect(Collectors.joining(", ")));
    String call =
        "Call.<%s>of(%s)"
            .formatted(
                kind == Kind.V ? "Void" : "R",
                join(
                    "function",
                    own.stream().map(CallArityTest::value).collect(Collectors.joining(", "))));
    String typeParameters = generic(letters(all.replace("T", "") + result));
    return """
      /// %s
      default %s %s %s(%s) {
        %s%s(%s);
      }

    """
        .formatted(
            sentence(file, way, kind, arity),
            typeParameters,
            type(way, kind),
            way.name,
            parameters,
            way == Way.RPC_SYNC && kind == Kind.V ? "" : "return ",
            way.target,
            join(file.receiver.isEmpty() ? "" : "to", call));
  }

  private static String sentence(File file, Way way, Kind kind, int arity) {
    int arguments = arity - file.bound;
    return "Calls %s of %s argument%s and %s."
        .formatted(
            kind.phrase,
            NUMBERS.get(arguments),
            arguments == 1 ? "" : "s",
            kind == Kind.V ? way.voidEffect : way.effect);
  }

  private static String named(File file, Way way) {
    return """
      /// Calls a method by its name and %s; see [Call#named].
      default <R> %s %s(%s) {
        return %s(%s);
      }

    """
        .formatted(
            way.effect,
            way.type.formatted("R"),
            way.name,
            join(file.receiver, "String function", "@Nullable Object... arguments"),
            way.target,
            join(file.receiver.isEmpty() ? "" : "to", "Call.<R>named(function, arguments)"));
  }

  private static String type(Way way, Kind kind) {
    if (kind != Kind.V) {
      return way.type.formatted("R");
    }
    return way == Way.RPC_SYNC ? "void" : way.type.formatted("Void");
  }

  private static String value(String type) {
    return type.toLowerCase(Locale.ROOT);
  }

  private static List<String> letters(String all) {
    return IntStream.range(0, all.length()).mapToObj(i -> all.substring(i, i + 1)).toList();
  }

  private static String generic(List<String> types) {
    return types.isEmpty() ? "" : types.stream().collect(Collectors.joining(", ", "<", ">"));
  }

  private static String join(String... parts) {
    return Arrays.stream(parts).filter(part -> !part.isEmpty()).collect(Collectors.joining(", "));
  }
}
