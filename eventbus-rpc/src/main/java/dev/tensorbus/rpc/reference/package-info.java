// SPDX-License-Identifier: Apache-2.0

/// Distributed reference counting: the objects that this worker owns, the forks that it holds, and
/// the messages that keep the counts of forks up to date.
package dev.tensorbus.rpc.reference;
