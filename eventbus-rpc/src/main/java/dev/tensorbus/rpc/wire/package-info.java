// SPDX-License-Identifier: Apache-2.0

/// The parts that messages consist of, and the bytes that these become. Knows no other package of
/// ours but the public one.
package dev.tensorbus.rpc.wire;
