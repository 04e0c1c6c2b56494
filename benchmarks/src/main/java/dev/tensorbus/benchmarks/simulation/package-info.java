// SPDX-License-Identifier: Apache-2.0
/// Simulates trainers of a parameter server in virtual time.
@NullMarked
package dev.tensorbus.benchmarks.simulation;

import org.jspecify.annotations.NullMarked;
