// SPDX-License-Identifier: Apache-2.0

/// A server's parameters: the primary of a part, its backups, and the log between them.
package dev.tensorbus.optim.server.replica;
