// SPDX-License-Identifier: Apache-2.0

/// The messages between workers, each with its encoding.
package dev.tensorbus.rpc.wire.message;
