// SPDX-License-Identifier: Apache-2.0
/// Listens for a gateway's callers, lets them in, and carries messages to and fro on HTTP/2.
package dev.tensorbus.grpc.gateway.server;
