// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.observe.trace;

import io.vertx.core.spi.tracing.TagExtractor;
import java.util.List;

/// An attribute of a span, named according to OpenTelemetry's semantic conventions if they define
/// it.
///
/// @param name the name of the attribute
/// @param value the value of the attribute
record Tag(String name, String value) {
  /// The name of the other worker.
  static final String PEER = "tensorbus.peer";

  /// The kind of an error.
  static final String ERROR = "error.type";

  /// Passes all tags of a list to a tracer.
  static final TagExtractor<List<Tag>> ALL =
      new TagExtractor<>() {
        @Override
        public int len(List<Tag> tags) {
          return tags.size();
        }

        @Override
        public String name(List<Tag> tags, int index) {
          return tags.get(index).name();
        }

        @Override
        public String value(List<Tag> tags, int index) {
          return tags.get(index).value();
        }
      };
}
