// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway.wire;

import com.google.protobuf.Any;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Fails a call with a gRPC status and details.
public final class GrpcStatusException extends RuntimeException {
  /// The name of the trailer with the details.
  public static final String DETAILS = "grpc-status-details-bin";

  private static final long serialVersionUID = 1L;
  private static final String DOMAIN = "tensorbus";

  private final Reason reason;
  private final transient Map<String, String> metadata;
  private final @Nullable Duration retryAfter;

  private GrpcStatusException(
      Reason reason, String message, Map<String, String> metadata, @Nullable Duration retryAfter) {
    super(message, null, false, false);
    this.reason = reason;
    this.metadata = Map.copyOf(metadata);
    this.retryAfter = retryAfter;
  }

  /// Creates an exception. The message says what was given, what was expected and what to do.
  public GrpcStatusException(Reason reason, String message) {
    this(reason, message, Map.of(), null);
  }

  /// Returns a copy with machine-readable metadata.
  public GrpcStatusException withMetadata(Map<String, String> more) {
    return new GrpcStatusException(reason, text(), more, retryAfter);
  }

  /// Returns a copy that tells the client to retry after a pause.
  public GrpcStatusException withRetryAfter(Duration pause) {
    return new GrpcStatusException(reason, text(), metadata, pause);
  }

  /// Returns the reason.
  public Reason reason() {
    return reason;
  }

  /// Returns the message.
  public String text() {
    return Objects.requireNonNull(getMessage());
  }

  /// Returns the [#DETAILS] trailer: a `google.rpc.Status`, encoded as binary metadata.
  public String details() {
    List<Any> details = new ArrayList<>();
    details.add(StatusDetails.errorInfo(reason.name(), DOMAIN, metadata));
    if (retryAfter != null) {
      details.add(StatusDetails.retryInfo(retryAfter));
    }
    byte[] status = StatusDetails.status(reason.status().code, text(), details);
    return Base64.getEncoder().withoutPadding().encodeToString(status);
  }
}
