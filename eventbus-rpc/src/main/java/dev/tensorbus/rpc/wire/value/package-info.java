// SPDX-License-Identifier: Apache-2.0

/// Encodes the values of arguments and results, and rejects those that may not be sent.
package dev.tensorbus.rpc.wire.value;
