// SPDX-License-Identifier: Apache-2.0
/// The gRPC gateway: the service of `tensorbus.proto` for programs that do not run on the JVM.
package dev.tensorbus.grpc.gateway;
