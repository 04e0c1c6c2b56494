// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.bus;

import dev.tensorbus.rpc.wire.Frame;
import org.jspecify.annotations.Nullable;

/// A received message.
///
/// @param node the cluster node whose Vertx sent it, or null for this one's
public record Received(Frame frame, @Nullable String node) {}
