// SPDX-License-Identifier: Apache-2.0

/// Assembles a worker from its components, and closes it.
package dev.tensorbus.rpc.worker;
