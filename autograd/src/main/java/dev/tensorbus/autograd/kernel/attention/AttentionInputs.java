// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.attention;

import org.jspecify.annotations.Nullable;

/// The tensors and options of one attention operation.
///
/// @param mask null if each target attends to all sources
/// @param dropout the dropout factors of the weights; null for no dropout
/// @param <A> the array type: `float[]` or `double[]`
public record AttentionInputs<A>(
    AttentionShape shape,
    A query,
    A key,
    A value,
    @Nullable AttentionMask<A> mask,
    @Nullable DropoutFactors dropout) {}
