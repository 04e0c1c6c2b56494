// SPDX-License-Identifier: Apache-2.0

/// Configures the embedded cluster: its clock, its connections, and the classes it may read.
package dev.tensorbus.rpc.world.hazelcast;
