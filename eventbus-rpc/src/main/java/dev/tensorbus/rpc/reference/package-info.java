// SPDX-License-Identifier: Apache-2.0

/// References: the objects that this worker owns, the forks that it holds, and the messages that
/// count the forks of an object.
package dev.tensorbus.rpc.reference;
