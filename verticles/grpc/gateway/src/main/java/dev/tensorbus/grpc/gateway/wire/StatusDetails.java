// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway.wire;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.UnknownFieldSet.Field;
import java.util.List;
import java.util.Map;

/// Encodes `google.rpc.Status` and two of its detail messages by field number. Google's library of
/// these messages is not used, because it contains a hundred others and has no module name.
final class StatusDetails {
  private static final String TYPES = "type.googleapis.com/google.rpc.";

  private StatusDetails() {}

  /// Encodes a `Status`.
  static byte[] status(int code, String message, List<Any> details) {
    UnknownFieldSet.Builder status =
        UnknownFieldSet.newBuilder()
            .addField(1, Field.newBuilder().addVarint(code).build())
            .addField(2, text(message));
    Field.Builder all = Field.newBuilder();
    details.forEach(detail -> all.addLengthDelimited(detail.toByteString()));
    return status.addField(3, all.build()).build().toByteArray();
  }

  /// Returns an `ErrorInfo`.
  static Any errorInfo(String reason, String domain, Map<String, String> metadata) {
    Field.Builder entries = Field.newBuilder();
    metadata.forEach((key, value) -> entries.addLengthDelimited(entry(key, value)));
    return any(
        "ErrorInfo",
        UnknownFieldSet.newBuilder()
            .addField(1, text(reason))
            .addField(2, text(domain))
            .addField(3, entries.build())
            .build());
  }

  private static ByteString entry(String key, String value) {
    return UnknownFieldSet.newBuilder()
        .addField(1, text(key))
        .addField(2, text(value))
        .build()
        .toByteString();
  }

  /// Returns a `RetryInfo`.
  static Any retryInfo(java.time.Duration pause) {
    Duration delay =
        Duration.newBuilder().setSeconds(pause.toSeconds()).setNanos(pause.toNanosPart()).build();
    Field field = Field.newBuilder().addLengthDelimited(delay.toByteString()).build();
    return any("RetryInfo", UnknownFieldSet.newBuilder().addField(1, field).build());
  }

  private static Field text(String text) {
    return Field.newBuilder().addLengthDelimited(ByteString.copyFromUtf8(text)).build();
  }

  private static Any any(String type, UnknownFieldSet message) {
    return Any.newBuilder().setTypeUrl(TYPES + type).setValue(message.toByteString()).build();
  }
}
