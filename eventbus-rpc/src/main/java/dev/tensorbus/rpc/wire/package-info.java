// SPDX-License-Identifier: Apache-2.0

/// The messages, and how they become bytes.
package dev.tensorbus.rpc.wire;
