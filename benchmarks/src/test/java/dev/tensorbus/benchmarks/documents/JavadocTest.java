// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.documents;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExportsTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.Tree.Kind;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The comments of the classes and methods that users see: those of the packages that a module
/// exports to everybody.
class JavadocTest {
  private static final String SOURCES = "src/main/java";

  static List<Path> modules() throws IOException {
    try (Stream<Path> files = Files.walk(Pages.ROOT, 7)) {
      return files
          .filter(file -> file.endsWith(Path.of(SOURCES, "module-info.java")))
          .map(Path::getParent)
          .toList();
    }
  }

  @Test
  void thereAreModules() throws IOException {
    assertThat(modules()).hasSizeGreaterThan(5);
  }

  @ParameterizedTest
  @MethodSource("modules")
  void whatUsersSeeHasAComment(Path sources) throws IOException {
    List<String> without = new ArrayList<>();
    for (String exported : exports(sources)) {
      Path folder = sources.resolve(exported.replace('.', '/'));
      if (Files.isDirectory(folder)) { // else protoc makes its classes
        without.addAll(withoutComment(javaFiles(folder)));
      }
    }
    assertThat(without).isEmpty();
  }

  private static List<Path> javaFiles(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".java")).sorted().toList();
    }
  }

  private static List<String> exports(Path sources) throws IOException {
    List<String> packages = new ArrayList<>();
    for (CompilationUnitTree unit : parser(List.of(sources.resolve("module-info.java"))).parse()) {
      for (Tree directive : unit.getModule().getDirectives()) {
        if (directive instanceof ExportsTree exports && exports.getModuleNames() == null) {
          packages.add(exports.getPackageName().toString());
        }
      }
    }
    return packages;
  }

  private static List<String> withoutComment(List<Path> files) throws IOException {
    JavacTask parser = parser(files);
    Visible visible = new Visible(DocTrees.instance(parser));
    visible.scan(parser.parse(), null);
    return visible.withoutComment;
  }

  private static JavacTask parser(List<Path> files) {
    var compiler = ToolProvider.getSystemJavaCompiler();
    try (var manager = compiler.getStandardFileManager(null, null, null)) {
      var sources = manager.getJavaFileObjectsFromPaths(files);
      return (JavacTask) compiler.getTask(null, manager, null, null, null, sources);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Goes through the classes and methods that other packages see. A method that overrides another
  /// has that one's comment, and a compact constructor its record's.
  private static final class Visible extends TreePathScanner<Void, Void> {
    private final DocTrees docs;
    private final List<String> withoutComment = new ArrayList<>();

    Visible(DocTrees docs) {
      this.docs = docs;
    }

    @Override
    public Void visitClass(ClassTree tree, Void nothing) {
      if (isVisible(tree.getModifiers())) {
        check(tree.getSimpleName());
        super.visitClass(tree, nothing);
      }
      return null;
    }

    @Override
    public Void visitMethod(MethodTree tree, Void nothing) {
      ModifiersTree modifiers = tree.getModifiers();
      boolean overrides =
          modifiers.getAnnotations().stream()
              .anyMatch(annotation -> annotation.getAnnotationType().toString().equals("Override"));
      if (isVisible(modifiers) && !overrides && !isOfRecord(tree)) {
        check(tree.getName());
      }
      return null;
    }

    private boolean isVisible(ModifiersTree modifiers) {
      Set<Modifier> flags = modifiers.getFlags();
      Tree around = getCurrentPath().getParentPath().getLeaf();
      boolean isInInterface =
          Set.of(Kind.INTERFACE, Kind.ANNOTATION_TYPE).contains(around.getKind());
      return flags.contains(Modifier.PUBLIC)
          || flags.contains(Modifier.PROTECTED)
          || (isInInterface && !flags.contains(Modifier.PRIVATE));
    }

    private boolean isOfRecord(MethodTree tree) {
      boolean isConstructor = tree.getReturnType() == null;
      return isConstructor && getCurrentPath().getParentPath().getLeaf().getKind() == Kind.RECORD;
    }

    private void check(CharSequence name) {
      if (docs.getDocComment(getCurrentPath()) == null) {
        CompilationUnitTree unit = getCurrentPath().getCompilationUnit();
        long start = docs.getSourcePositions().getStartPosition(unit, getCurrentPath().getLeaf());
        withoutComment.add(
            "%s:%d %s"
                .formatted(
                    Path.of(unit.getSourceFile().getName()).getFileName(),
                    unit.getLineMap().getLineNumber(start),
                    name));
      }
    }
  }
}
