// SPDX-License-Identifier: Apache-2.0

/// Sends them over Vert.x: pending calls, references, membership, shutdown.
package dev.tensorbus.rpc.eventbus;
