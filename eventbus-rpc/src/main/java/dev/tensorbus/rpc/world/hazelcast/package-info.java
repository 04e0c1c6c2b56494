// SPDX-License-Identifier: Apache-2.0

/// Sets up the cluster that Tensorbus embeds: its clock, and whom and what it lets in.
package dev.tensorbus.rpc.world.hazelcast;
