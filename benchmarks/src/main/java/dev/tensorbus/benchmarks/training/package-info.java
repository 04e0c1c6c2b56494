// SPDX-License-Identifier: Apache-2.0
/// Measures the training programs.
@NullMarked
package dev.tensorbus.benchmarks.training;

import org.jspecify.annotations.NullMarked;
