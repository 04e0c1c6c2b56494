// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data;

import dev.tensorbus.autograd.Tensor;

/// An input of a network and its class.
///
/// @param input the network's input, without the batch axis
/// @param label the class, from 0
public record Example(Tensor input, int label) {}
