// SPDX-License-Identifier: Apache-2.0

/// Saves a run in a folder and restores it.
package dev.tensorbus.optim.checkpoint;
