// SPDX-License-Identifier: Apache-2.0
/// The model behind the gateway: its versions, what it learns from pushes, and what it predicts.
package dev.tensorbus.grpc.gateway.model;
