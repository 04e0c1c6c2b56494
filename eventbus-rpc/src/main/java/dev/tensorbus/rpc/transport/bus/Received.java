// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.bus;

import dev.tensorbus.rpc.wire.Frame;
import org.jspecify.annotations.Nullable;

/// A received message.
///
/// @param node the cluster node that sent it, or null if this node did
public record Received(Frame frame, @Nullable String node) {}
