// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.slot;

/// Hashes that are the same in every JVM and spread similar values evenly.
final class Hash {
  private Hash() {}

  /// Returns the hash of a text: FNV-1a, mixed.
  static long of(String text) {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
    }
    return mixed(hash);
  }

  /// Returns well-mixed bits: the mixer of SplitMix64 (Steele, Lea and Flood, "Fast splittable
  /// pseudorandom number generators", 2014).
  static long mixed(long value) {
    long bits = value + 0x9e3779b97f4a7c15L;
    bits = (bits ^ (bits >>> 30)) * 0xbf58476d1ce4e5b9L;
    bits = (bits ^ (bits >>> 27)) * 0x94d049bb133111ebL;
    return bits ^ (bits >>> 31);
  }
}
