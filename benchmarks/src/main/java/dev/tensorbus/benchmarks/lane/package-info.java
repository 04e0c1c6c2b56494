// SPDX-License-Identifier: Apache-2.0

/// Measures the effects of large tensors: on concurrent calls, and on resources over half an hour.
@NullMarked
package dev.tensorbus.benchmarks.lane;

import org.jspecify.annotations.NullMarked;
