// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.reference;

import dev.tensorbus.rpc.wire.ForkId;
import dev.tensorbus.rpc.wire.GlobalId;
import dev.tensorbus.rpc.wire.Sender;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A fork of another worker's object, held by this worker. It is given up when its reference is
/// closed and it is no longer in use, that is, when no call to the object is pending and every
/// child fork is confirmed (G2).
public final class HeldFork {
  private final ForkId names;
  private final Sender owner;
  private final @Nullable Throwable site;
  private final Consumer<HeldFork> release;
  private int uses;
  private boolean closed;

  /// Creates a fork that is not in use yet.
  ///
  /// @param names the names of the reference and the fork
  /// @param owner the worker that holds the object
  /// @param site where the reference was created, or null if that is not recorded
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

  /// Returns the name of the reference.
  public GlobalId id() {
    return names.id();
  }

  public Sender owner() {
    return owner;
  }

  public @Nullable Throwable site() {
    return site;
  }

  /// Starts a use, which [#endUse] ends. Returns false if the reference is closed.
  public synchronized boolean use() {
    if (closed) {
      return false;
    }
    uses++;
    return true;
  }

  /// Ends one use. Gives the fork up if this was the last use and the reference is closed.
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

  /// Closes the reference. Gives the fork up if it is not in use.
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
