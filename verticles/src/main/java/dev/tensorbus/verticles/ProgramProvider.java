// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles;

/// Gives the command line a program of yours: `tensorbus train` and the roles' jars know it then,
/// with its settings, beside ours. A service: `provides dev.tensorbus.verticles.ProgramProvider
/// with …` in the module's descriptor, and a file in META-INF/services, because workers run on the
/// class path.
public interface ProgramProvider {
  /// The program, under a name that no other has.
  Program program();
}
