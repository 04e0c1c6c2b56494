// SPDX-License-Identifier: Apache-2.0

/// A trainer's way to the servers that have its parameters.
package dev.tensorbus.optim.server.client;
