// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.page;

import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The files of the page, from the jar.
final class PageFiles {
  /// Contains uPlot's version, which must match the root `pom.xml`.
  private static final String UPLOT = "META-INF/resources/webjars/uplot/1.6.30/dist/";

  private static final String SCRIPT = "text/javascript; charset=utf-8";
  private static final String STYLE = "text/css; charset=utf-8";

  private static final List<String> SCRIPTS =
      List.of(
          "page", "tables", "format", "run", "plot", "learning", "runs", "spark", "views", "world");

  private final Map<String, PageFile> byPath = new HashMap<>();

  /// Reads all files.
  PageFiles() {
    byPath.put("/", read("index.html", "text/html; charset=utf-8"));
    byPath.put("/page.css", read("page.css", STYLE));
    byPath.put("/icon.svg", read("icon.svg", "image/svg+xml"));
    byPath.put("/uplot.css", read(UPLOT + "uPlot.min.css", STYLE));
    byPath.put("/uplot.js", read(UPLOT + "uPlot.iife.min.js", SCRIPT));
    SCRIPTS.forEach(name -> byPath.put("/" + name + ".js", read(name + ".js", SCRIPT)));
  }

  /// A file of the page.
  ///
  /// @param type its media type
  record PageFile(String type, Buffer content) {}

  /// Returns the file for a path of the page's URL.
  Optional<PageFile> find(String path) {
    return Optional.ofNullable(byPath.get(path));
  }

  /// Opens a file. uPlot is in another module, so only the class loader can find its files.
  private static @Nullable InputStream open(String name) {
    return name.startsWith(UPLOT)
        ? Objects.requireNonNull(PageFiles.class.getClassLoader()).getResourceAsStream(name)
        : PageFiles.class.getResourceAsStream(name);
  }

  private static PageFile read(String name, String type) {
    try (InputStream in = open(name)) {
      if (in == null) {
        throw new IllegalStateException(
            "the page requires " + name + " in its jar; rebuild the jar");
      }
      return new PageFile(type, Buffer.buffer(in.readAllBytes()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
