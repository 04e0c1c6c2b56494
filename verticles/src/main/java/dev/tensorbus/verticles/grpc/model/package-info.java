// SPDX-License-Identifier: Apache-2.0
/// The model behind the door: its versions, what it learns from pushes, and what it predicts.
package dev.tensorbus.verticles.grpc.model;
