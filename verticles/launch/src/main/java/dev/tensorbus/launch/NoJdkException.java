// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.launch;

/// Thrown if no JDK on this machine can run the programs. The message says how to specify one.
final class NoJdkException extends Exception {
  private static final long serialVersionUID = 1;

  NoJdkException(String message) {
    super(message);
  }
}
