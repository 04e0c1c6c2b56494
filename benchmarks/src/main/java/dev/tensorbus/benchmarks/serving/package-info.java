// SPDX-License-Identifier: Apache-2.0
/// Measures predictions that are served over HTTP.
@NullMarked
package dev.tensorbus.benchmarks.serving;

import org.jspecify.annotations.NullMarked;
