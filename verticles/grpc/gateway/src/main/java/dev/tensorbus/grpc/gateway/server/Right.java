// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway.server;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// What a caller may do: the methods of the service `Tensorbus` that a token permits.
public enum Right {
  /// Calls methods of workers.
  CALL,
  /// Computes predictions.
  PREDICT,
  /// Reads parameters.
  PULL,
  /// Sends gradients, which changes parameters.
  PUSH,
  /// Lists workers, and watches steps and losses.
  WATCH;

  private static final String SERVICE = "/tensorbus.v1.Tensorbus/";

  /// Returns the right that a request needs, or null if each token permits it.
  ///
  /// @param path the path of the request
  static @Nullable Right of(String path) {
    if (!path.startsWith(SERVICE)) {
      return null;
    }
    return switch (path.substring(SERVICE.length())) {
      case "Call" -> CALL;
      case "Predict" -> PREDICT;
      case "PullParameters" -> PULL;
      case "PushGradients" -> PUSH;
      case "Workers", "Watch" -> WATCH;
      default -> null; // there is no such method
    };
  }

  /// Returns the name in token files and messages.
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
