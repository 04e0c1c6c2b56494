// SPDX-License-Identifier: Apache-2.0

/// The fields of messages and their encoding in bytes. This package depends on no other package of
/// this module except the public one.
package dev.tensorbus.rpc.wire;
