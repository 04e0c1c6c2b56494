// SPDX-License-Identifier: Apache-2.0

/// What tests of distributed programs need: a cluster in one JVM, and a network that fails.
package dev.tensorbus.rpc.testing;
