// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

/// The name and rank of a worker, which are the same on every worker of the world. As a character
/// sequence it is the name, so that it can be passed to a call in place of the name.
///
/// @param name the worker's name, unique in the world: 1 to 127 letters, digits, `-`, `_` and `:`
/// @param id the worker's rank, from 0
public record WorkerInfo(String name, int id) implements CharSequence {
  private static final int MAX_NAME = 127;
  private static final int MAX_ID = (1 << 16) - 1;

  /// @throws IllegalArgumentException if the name or the id is invalid
  public WorkerInfo {
    if (!isName(name)) {
      throw new IllegalArgumentException(
          "worker name \""
              + name
              + "\" must be 1 to 127 letters, digits, '-', '_' or ':'; choose another");
    }
    if (id < 0 || id > MAX_ID) {
      throw new IllegalArgumentException("rank " + id + " must be from 0 to " + MAX_ID);
    }
  }

  /// Returns whether a string is a valid name. A regular expression took 6 % of a busy worker's
  /// time, since names are checked in each message.
  private static boolean isName(String name) {
    for (int i = 0; i < name.length(); i++) {
      if (!isPartOfName(name.charAt(i))) {
        return false;
      }
    }
    return !name.isEmpty() && name.length() <= MAX_NAME;
  }

  private static boolean isPartOfName(char letter) {
    return (letter >= 'a' && letter <= 'z')
        || (letter >= 'A' && letter <= 'Z')
        || (letter >= '0' && letter <= '9')
        || letter == '_'
        || letter == ':'
        || letter == '-';
  }

  @Override
  public int length() {
    return name.length();
  }

  @Override
  public char charAt(int index) {
    return name.charAt(index);
  }

  @Override
  public CharSequence subSequence(int start, int end) {
    return name.subSequence(start, end);
  }

  /// Returns the name.
  @Override
  public String toString() {
    return name;
  }
}
