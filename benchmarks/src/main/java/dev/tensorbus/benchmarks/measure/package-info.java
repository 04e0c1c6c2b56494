// SPDX-License-Identifier: Apache-2.0
/// Times work, and says the result as a line of name, value and unit.
@NullMarked
package dev.tensorbus.benchmarks.measure;

import org.jspecify.annotations.NullMarked;
