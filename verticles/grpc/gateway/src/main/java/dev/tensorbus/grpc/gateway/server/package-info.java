// SPDX-License-Identifier: Apache-2.0
/// The gateway's HTTP/2 server: connections, admission of calls, and message streams.
package dev.tensorbus.grpc.gateway.server;
