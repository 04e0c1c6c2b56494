// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data;

import dev.tensorbus.autograd.Tensor;

/// Something that a network sees, and the class that it should name.
///
/// @param input of the shape that the network takes, less the axis of the batch
/// @param label the class, from 0
public record Example(Tensor input, int label) {}
