// SPDX-License-Identifier: Apache-2.0

/// The parts of messages, and their encoding in bytes. Depends on no other package of Tensorbus but
/// the public one.
package dev.tensorbus.rpc.wire;
