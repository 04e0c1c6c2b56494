// SPDX-License-Identifier: Apache-2.0
/// Measures parameter servers in processes of their own: what a kill costs, what replication costs,
/// and what each consistency does for trainers of different speeds.
@NullMarked
package dev.tensorbus.benchmarks.server;

import org.jspecify.annotations.NullMarked;
