// SPDX-License-Identifier: Apache-2.0

/// The spans of a worker's calls, backward passes and steps, created by the tracer of its Vertx.
package dev.tensorbus.rpc.observe.trace;
