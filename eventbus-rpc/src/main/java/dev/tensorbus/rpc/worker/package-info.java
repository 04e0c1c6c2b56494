// SPDX-License-Identifier: Apache-2.0

/// Assembles a worker from its parts, and closes it.
package dev.tensorbus.rpc.worker;
