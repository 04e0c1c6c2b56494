// SPDX-License-Identifier: Apache-2.0

/// Counts the forks of references: who holds what, what is on its way, what is over.
package dev.tensorbus.rpc.reference;
