// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data;

import dev.tensorbus.autograd.Tensor;

/// A network's input, and the class to which it belongs.
///
/// @param input the network's input, without the batch axis
/// @param label index of the class, from 0
public record Example(Tensor input, int label) {}
