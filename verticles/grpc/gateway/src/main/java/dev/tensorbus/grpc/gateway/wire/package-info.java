// SPDX-License-Identifier: Apache-2.0
/// Converts tensors, values and errors to gRPC messages and back.
package dev.tensorbus.grpc.gateway.wire;
