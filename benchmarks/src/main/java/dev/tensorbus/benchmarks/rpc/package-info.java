// SPDX-License-Identifier: Apache-2.0
/// Measures calls between two workers.
@NullMarked
package dev.tensorbus.benchmarks.rpc;

import org.jspecify.annotations.NullMarked;
