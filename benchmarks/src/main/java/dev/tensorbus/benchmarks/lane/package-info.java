// SPDX-License-Identifier: Apache-2.0

/// What large tensors do to everything else: to the calls beside them, and in half an hour.
@NullMarked
package dev.tensorbus.benchmarks.lane;

import org.jspecify.annotations.NullMarked;
