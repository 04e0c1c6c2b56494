// SPDX-License-Identifier: Apache-2.0
/// Runs all workers of a world on this machine, each in its own process.
package dev.tensorbus.verticles.world;
