// SPDX-License-Identifier: Apache-2.0
/// Measures the duration of work, and prints results as lines of name, value and unit.
@NullMarked
package dev.tensorbus.benchmarks.measure;

import org.jspecify.annotations.NullMarked;
