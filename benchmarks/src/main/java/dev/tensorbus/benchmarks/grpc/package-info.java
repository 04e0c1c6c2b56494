// SPDX-License-Identifier: Apache-2.0
/// Measures the gRPC gateway beside grpc-java.
@NullMarked
package dev.tensorbus.benchmarks.grpc;

import org.jspecify.annotations.NullMarked;
