// SPDX-License-Identifier: Apache-2.0

/// Moves the values of tensors beside the event bus, through memory that two processes share.
package dev.tensorbus.rpc.lane;
