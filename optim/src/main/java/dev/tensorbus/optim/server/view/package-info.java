// SPDX-License-Identifier: Apache-2.0

/// Lets a majority of voters agree on one value, such as who is the primary of which parameters:
/// alone, or by Raft between workers.
package dev.tensorbus.optim.server.view;
