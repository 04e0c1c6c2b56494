// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.group;

/// Thrown when a member may not join a group. The group is unchanged.
public final class MemberRefusedException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  private final Reason reason;

  /// The reasons for refusing a member.
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
