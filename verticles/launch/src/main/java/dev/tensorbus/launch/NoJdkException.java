// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.launch;

/// No JDK on this machine can run the programs; the message says how to name one.
final class NoJdkException extends Exception {
  private static final long serialVersionUID = 1;

  NoJdkException(String message) {
    super(message);
  }
}
