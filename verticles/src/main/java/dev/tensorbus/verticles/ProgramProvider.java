// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles;

/// Adds a program to the command line: `tensorbus train` and the roles' jars then accept it like
/// the built-in ones. A service: declare `provides dev.tensorbus.verticles.ProgramProvider with …`
/// in the module descriptor, and a file in META-INF/services, because workers run on the class
/// path.
public interface ProgramProvider {
  /// Returns the program; its name must be unique.
  Program program();
}
