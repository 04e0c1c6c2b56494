// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.observe.trace;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/// The spans of one trace or several as text: a line for each, below its parent.
final class SpanTree {
  private static final AttributeKey<String> SERVICE = AttributeKey.stringKey("service.name");

  private final List<SpanData> spans;

  private SpanTree(List<SpanData> spans) {
    this.spans =
        spans.stream()
            .sorted(
                Comparator.comparing(SpanTree::line).thenComparing(SpanData::getStartEpochNanos))
            .toList();
  }

  /// The text of these spans; children of one parent are in the order of their lines.
  static String of(List<SpanData> spans) {
    StringBuilder text = new StringBuilder();
    new SpanTree(spans).append(SpanId.getInvalid(), "", text);
    return text.toString();
  }

  private void append(String parent, String indent, StringBuilder text) {
    for (SpanData span : spans) {
      if (span.getParentSpanId().equals(parent)) {
        text.append(indent).append(line(span)).append('\n');
        append(span.getSpanId(), indent + "  ", text);
      }
    }
  }

  private static String line(SpanData span) {
    return "%s %s %s"
        .formatted(
            span.getName(),
            span.getKind().name().toLowerCase(Locale.ROOT),
            span.getResource().getAttribute(SERVICE));
  }
}
