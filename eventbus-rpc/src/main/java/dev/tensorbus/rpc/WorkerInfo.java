// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import java.util.regex.Pattern;

/// Names a worker: the same on every worker of the world.
///
/// @param name unique in the world; letters, digits, `-`, `_` and `:`, fewer than 128
/// @param id its rank, from 0
public record WorkerInfo(String name, int id) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_:-]{1,127}");
  private static final int MAX_ID = (1 << 16) - 1;

  /// @throws IllegalArgumentException if the name or the id cannot be a worker's
  public WorkerInfo {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "worker name \""
              + name
              + "\" must be 1 to 127 letters, digits, '-', '_' or ':'; choose another");
    }
    if (id < 0 || id > MAX_ID) {
      throw new IllegalArgumentException("rank " + id + " must be from 0 to " + MAX_ID);
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
