// SPDX-License-Identifier: Apache-2.0

/// Records calls in the graph of a distributed autograd context, and starts its backward passes.
package dev.tensorbus.rpc.graph;
