// SPDX-License-Identifier: Apache-2.0
/// Opens a worker to programs that are not on the JVM: the service of `tensorbus.proto`.
package dev.tensorbus.grpc.gateway;
