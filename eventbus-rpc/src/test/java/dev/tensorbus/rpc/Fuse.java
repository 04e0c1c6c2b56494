// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

/// A value for which memory runs out when it is encoded.
record Fuse(int length) {
  @Override
  public int length() {
    throw new OutOfMemoryError("no room for " + length);
  }

  @Remote
  static Fuse light(int length) {
    return new Fuse(length);
  }
}
