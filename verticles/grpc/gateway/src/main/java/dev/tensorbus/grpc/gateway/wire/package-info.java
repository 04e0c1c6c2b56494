// SPDX-License-Identifier: Apache-2.0
/// How tensors, values and errors become gRPC messages, and come back.
package dev.tensorbus.grpc.gateway.wire;
