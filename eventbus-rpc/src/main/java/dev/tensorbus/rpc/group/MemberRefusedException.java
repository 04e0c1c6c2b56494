// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.group;

/// A member was not allowed to join its group, which is unchanged.
public final class MemberRefusedException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  private final Reason reason;

  /// Why a member was refused.
  public enum Reason {
    /// A member with this key is present.
    PRESENT,
    /// All expected members have joined.
    FULL
  }

  MemberRefusedException(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  /// Returns why the member was refused.
  public Reason reason() {
    return reason;
  }
}
