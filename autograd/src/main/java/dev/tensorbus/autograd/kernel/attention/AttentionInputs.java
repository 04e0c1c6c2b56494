// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.attention;

import org.jspecify.annotations.Nullable;

/// The tensors and choices of one application of attention.
///
/// @param mask null if each target attends to all sources
/// @param dropout the factors of the weights; null for none
/// @param <A> the array type: `float[]` or `double[]`
public record AttentionInputs<A>(
    AttentionShape shape,
    A query,
    A key,
    A value,
    @Nullable AttentionMask<A> mask,
    @Nullable DropoutFactors dropout) {}
