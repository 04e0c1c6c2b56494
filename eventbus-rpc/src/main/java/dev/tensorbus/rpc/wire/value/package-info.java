// SPDX-License-Identifier: Apache-2.0

/// Encodes the values of arguments and results, and refuses what may not travel.
package dev.tensorbus.rpc.wire.value;
