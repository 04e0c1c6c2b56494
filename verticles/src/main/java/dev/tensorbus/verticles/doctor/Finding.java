// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.doctor;

/// The outcome of a check, for the user.
///
/// @param verdict whether a training can do with it
/// @param text one line: the thing found, its use and, if it is not well, the cure
public record Finding(Verdict verdict, String text) {
  /// How good something is for a training, the best first.
  public enum Verdict {
    /// As it should be.
    OK,
    /// A training can run, slower or without some part.
    WEAK,
    /// No training can run.
    BAD
  }

  /// All is as it should be.
  public static Finding ok(String text) {
    return new Finding(Verdict.OK, text);
  }

  /// A training can run all the same.
  public static Finding weak(String text) {
    return new Finding(Verdict.WEAK, text);
  }

  /// No training can run.
  public static Finding bad(String text) {
    return new Finding(Verdict.BAD, text);
  }
}
