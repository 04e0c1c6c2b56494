// SPDX-License-Identifier: Apache-2.0

/// Keeps a run in a folder, from which it goes on as if it had never stopped.
package dev.tensorbus.optim.checkpoint;
