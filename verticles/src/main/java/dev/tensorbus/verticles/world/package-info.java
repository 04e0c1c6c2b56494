// SPDX-License-Identifier: Apache-2.0
/// Runs all workers of a world on this machine, each in a process of its own.
package dev.tensorbus.verticles.world;
