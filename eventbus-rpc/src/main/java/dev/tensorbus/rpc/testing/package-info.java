// SPDX-License-Identifier: Apache-2.0

/// Tools for tests of distributed programs: a cluster in one JVM, a network with faults, and JVMs
/// that can be killed.
package dev.tensorbus.rpc.testing;
