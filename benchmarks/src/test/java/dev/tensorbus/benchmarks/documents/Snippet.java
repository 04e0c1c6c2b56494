// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.documents;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A block of Java in a page. A comment above the block, hidden from readers, says how to compile
/// it; a block without one is a complete compilation unit:
///
/// - `<!-- java: method(Rpc rpc, Tensor loss) -->`: statements of a method with these parameters;
/// - `<!-- java: members(Rpc rpc) -->`: members of a class that has these fields;
/// - `<!-- java: file PATH -->`: an excerpt of a source file, which must still have each paragraph.
///
/// The first two may go on with ` in PACKAGE`, ` returns TYPE`, ` extends TYPE` and ` import
/// TYPES`, in this order.
///
/// @param page the page that has it
/// @param line the line of the page on which its code begins
/// @param how the comment's text, null if there is none
/// @param code the block
record Snippet(Path page, int line, @Nullable String how, String code) {
  private static final Pattern BLOCK =
      Pattern.compile(
          "(?:<!-- java: ((?:(?!-->).)*) -->\\R)?```java\\R(.*?)^```$",
          Pattern.DOTALL | Pattern.MULTILINE);

  /// All snippets of a page. None is left out: each fence of Java begins one.
  static List<Snippet> of(Path page) {
    String text = Pages.read(page);
    return BLOCK.matcher(text).results().map(found -> snippet(page, text, found)).toList();
  }

  private static Snippet snippet(Path page, String text, MatchResult found) {
    int line = 1 + (int) text.substring(0, found.start(2)).lines().count();
    String how = found.group(1) == null ? null : found.group(1).replaceAll("\\s+", " ");
    return new Snippet(page, line, how, found.group(2));
  }

  /// Page and line, as a test's name.
  @Override
  public String toString() {
    return Pages.name(page) + ":" + line;
  }
}
