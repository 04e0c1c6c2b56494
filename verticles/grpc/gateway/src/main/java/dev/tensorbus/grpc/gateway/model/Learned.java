// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway.model;

/// The model has learned from a trainer.
///
/// @param trainer who
/// @param loss before the step
/// @param examples that it is of
/// @param version of the parameters after the step
public record Learned(String trainer, float loss, int examples, long version) {}
