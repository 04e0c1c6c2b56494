// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.doctor;

/// The result of a check, for the user.
///
/// @param verdict whether a training can run
/// @param text one line: what was found, what it is used for and, if needed, how to fix it
public record Finding(Verdict verdict, String text) {
  /// The verdicts, from best to worst.
  public enum Verdict {
    /// As expected.
    OK,
    /// A training can run, but slower or without some feature.
    WEAK,
    /// No training can run.
    BAD
  }

  /// Returns a finding that all is as expected.
  public static Finding ok(String text) {
    return new Finding(Verdict.OK, text);
  }

  /// Returns a finding that a training can run, with restrictions.
  public static Finding weak(String text) {
    return new Finding(Verdict.WEAK, text);
  }

  /// Returns a finding that no training can run.
  public static Finding bad(String text) {
    return new Finding(Verdict.BAD, text);
  }
}
