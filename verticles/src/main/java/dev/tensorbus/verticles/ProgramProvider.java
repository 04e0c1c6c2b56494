// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles;

/// A service provider that adds a program to the command line: `tensorbus train` and the roles'
/// jars accept it like a built-in program. Declare it both with
/// `provides dev.tensorbus.verticles.ProgramProvider with …` in the module descriptor and in
/// META-INF/services, because workers run on the class path.
public interface ProgramProvider {
  /// Returns the program; its name must be unique.
  Program program();
}
