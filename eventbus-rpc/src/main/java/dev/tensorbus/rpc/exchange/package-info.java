// SPDX-License-Identifier: Apache-2.0

/// Exchanges calls with other workers: encodes and sends those of this worker, takes and runs those
/// of others, and answers them.
package dev.tensorbus.rpc.exchange;
