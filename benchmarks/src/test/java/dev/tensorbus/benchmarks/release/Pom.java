// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.release;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/// A POM as it was written, and with what it inherits.
final class Pom {
  private final Path file;
  private final Document xml;

  private Pom(Path file, Document xml) {
    this.file = file;
    this.xml = xml;
  }

  static Pom read(Path file) {
    try {
      var builder = DocumentBuilderFactory.newInstance().newDocumentBuilder();
      return new Pom(file, builder.parse(file.toFile()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (ParserConfigurationException | SAXException e) {
      throw new IllegalArgumentException(file.toString(), e);
    }
  }

  Path file() {
    return file;
  }

  String groupId() {
    return own("groupId").isEmpty() ? own("parent/groupId") : own("groupId");
  }

  String artifactId() {
    return own("artifactId");
  }

  String version() {
    return own("version").isEmpty() ? own("parent/version") : own("version");
  }

  boolean hasJar() {
    return !own("packaging").equals("pom");
  }

  /// The text of an element such as `scm/url`, empty if there is none.
  String own(String path) {
    List<String> all = all(path);
    return all.isEmpty() ? "" : all.getFirst();
  }

  /// The same, of this POM or else of the nearest ancestor that has it.
  ///
  /// @param repository where ancestors are
  String effective(String path, Path repository) {
    if (!own(path).isEmpty() || own("parent/artifactId").isEmpty()) {
      return own(path);
    }
    String artifact = own("parent/artifactId");
    String version = own("parent/version");
    Path parent =
        repository
            .resolve(own("parent/groupId").replace('.', '/'))
            .resolve(artifact)
            .resolve(version)
            .resolve(artifact + "-" + version + ".pom");
    return read(parent).effective(path, repository);
  }

  List<String> all(String path) {
    try {
      var expression = XPathFactory.newInstance().newXPath().compile("/project/" + path);
      var nodes = (NodeList) expression.evaluate(xml, XPathConstants.NODESET);
      return IntStream.range(0, nodes.getLength())
          .mapToObj(i -> nodes.item(i).getTextContent().strip())
          .toList();
    } catch (XPathExpressionException e) {
      throw new IllegalArgumentException(path, e);
    }
  }
}
