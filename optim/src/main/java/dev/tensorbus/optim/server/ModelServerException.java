// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server;

/// A request that a [ModelServer] refuses. Nothing has changed.
public final class ModelServerException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Reason reason;

  /// Why a request is refused.
  public enum Reason {
    /// The model has no parameter of this name.
    UNKNOWN_PARAMETER,
    /// A gradient does not have its parameter's shape and type, or there is none.
    BAD_GRADIENT,
    /// A gradient has NaN or infinite values.
    NON_FINITE_GRADIENT,
    /// No trainers are expected, so that a round would never be full.
    NO_ROUNDS,
    /// All expected trainers have joined.
    TOO_MANY_TRAINERS,
    /// A trainer of this name is present.
    TRAINER_IS_THERE,
    /// The examples do not have the model's shape.
    BAD_EXAMPLES,
    /// The server is about to end.
    CLOSING
  }

  /// Creates the refusal.
  ///
  /// @param message what was given, what was expected, and what to do
  public ModelServerException(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  /// Returns why the request was refused.
  public Reason reason() {
    return reason;
  }
}
