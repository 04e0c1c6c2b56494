// SPDX-License-Identifier: Apache-2.0

/// The fields of messages, and their encoding in bytes. Of this module, the package uses only the
/// public package.
package dev.tensorbus.rpc.wire;
