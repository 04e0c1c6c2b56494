// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server;

/// Thrown if a [ModelServer] refuses a request. In that case, nothing has changed.
public final class ModelServerException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Reason reason;

  /// The reason for a refusal.
  public enum Reason {
    /// The model has no parameter with this name.
    UNKNOWN_PARAMETER,
    /// A gradient does not have its parameter's shape and type, or the push has no gradients.
    BAD_GRADIENT,
    /// A gradient has NaN or infinite values.
    NON_FINITE_GRADIENT,
    /// No trainers can join: only trainers of the world train the model.
    READ_ONLY,
    /// No server has the parameters.
    NO_SERVER,
    /// A trainer with this name is already present.
    TRAINER_IS_THERE,
    /// The examples do not have the model's shape.
    BAD_EXAMPLES,
    /// The server is shutting down.
    CLOSING
  }

  /// Creates an exception.
  ///
  /// @param message what was given, what was expected, and what to do
  public ModelServerException(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  /// Returns the reason for the refusal.
  public Reason reason() {
    return reason;
  }
}
