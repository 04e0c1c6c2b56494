// SPDX-License-Identifier: Apache-2.0
/// Compares the gRPC gateway with grpc-java.
@NullMarked
package dev.tensorbus.benchmarks.grpc;

import org.jspecify.annotations.NullMarked;
