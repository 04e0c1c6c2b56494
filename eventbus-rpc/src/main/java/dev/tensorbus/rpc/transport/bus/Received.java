// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.bus;

import dev.tensorbus.rpc.wire.Frame;
import org.jspecify.annotations.Nullable;

/// A received message.
///
/// @param node the cluster node that sent the message, or null if it was sent within this Vertx
public record Received(Frame frame, @Nullable String node) {}
