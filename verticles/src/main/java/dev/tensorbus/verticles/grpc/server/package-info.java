// SPDX-License-Identifier: Apache-2.0
/// Listens for a door's callers and lets them in.
package dev.tensorbus.verticles.grpc.server;
