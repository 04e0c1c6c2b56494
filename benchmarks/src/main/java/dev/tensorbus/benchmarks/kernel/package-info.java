// SPDX-License-Identifier: Apache-2.0
/// Measures arithmetic of one process.
@NullMarked
package dev.tensorbus.benchmarks.kernel;

import org.jspecify.annotations.NullMarked;
