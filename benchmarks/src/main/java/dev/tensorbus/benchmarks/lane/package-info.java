// SPDX-License-Identifier: Apache-2.0

/// Measures large tensors' effect on everything else: to the calls beside them, and in half an
/// hour.
@NullMarked
package dev.tensorbus.benchmarks.lane;

import org.jspecify.annotations.NullMarked;
