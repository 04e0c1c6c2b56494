// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.reference;

import dev.tensorbus.rpc.wire.ForkId;
import dev.tensorbus.rpc.wire.GlobalId;
import dev.tensorbus.rpc.wire.Sender;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A fork that this worker holds of what another owns. It is given up when its reference is
/// closed and nothing uses it any more: no call is under way to the object, and no child of it
/// (G2).
public final class HeldFork {
  private final ForkId names;
  private final Sender owner;
  private final @Nullable Throwable site;
  private final Consumer<HeldFork> release;
  private int uses;
  private boolean closed;

  /// A fork that nothing uses yet.
  ///
  /// @param names the fork
  /// @param owner who has the object
  /// @param site where the reference came to be, or null if that is not asked for
  /// @param release gives the fork up
  public HeldFork(
      ForkId names, Sender owner, @Nullable Throwable site, Consumer<HeldFork> release) {
    this.names = names;
    this.owner = owner;
    this.site = site;
    this.release = release;
  }

  public ForkId names() {
    return names;
  }

  /// The reference.
  public GlobalId id() {
    return names.id();
  }

  public Sender owner() {
    return owner;
  }

  public @Nullable Throwable site() {
    return site;
  }

  /// Begins a use; false if the reference is closed.
  public synchronized boolean use() {
    if (closed) {
      return false;
    }
    uses++;
    return true;
  }

  /// Ends a use.
  public void endUse() {
    boolean isOver;
    synchronized (this) {
      uses--;
      isOver = closed && uses == 0;
    }
    if (isOver) {
      release.accept(this);
    }
  }

  /// Notes that the reference is closed.
  public void close() {
    boolean isOver;
    synchronized (this) {
      isOver = !closed && uses == 0;
      closed = true;
    }
    if (isOver) {
      release.accept(this);
    }
  }
}
