// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.view;

import io.microraft.RaftEndpoint;

/// One life of a worker that votes. Voters keep nothing on disk, so a worker that comes back must
/// be another voter: it no longer knows whom it has voted for.
///
/// @param name the worker's name
/// @param life differs between two lives of the worker
record Voter(String name, long life) implements RaftEndpoint {
  @Override
  public Object getId() {
    return name;
  }

  @Override
  public String toString() {
    return name + "#" + Long.toHexString(life);
  }
}
