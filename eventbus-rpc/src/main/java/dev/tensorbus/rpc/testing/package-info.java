// SPDX-License-Identifier: Apache-2.0

/// Tools for tests of distributed programs: a world in one JVM, with a JUnit extension, a network
/// with faults, a simulation in virtual time, and JVMs that can be killed.
package dev.tensorbus.rpc.testing;
