// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.wire;

import org.jspecify.annotations.Nullable;

/// A fork of a reference, on its way to another worker.
///
/// @param id the reference
/// @param fork names this fork
/// @param owner who holds the object
/// @param parent who made the fork and waits until the owner knows of it; null if the owner did
public record RefHandle(GlobalId id, GlobalId fork, Sender owner, @Nullable Sender parent) {}
