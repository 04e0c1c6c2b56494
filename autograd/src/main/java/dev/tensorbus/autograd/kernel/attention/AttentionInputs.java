// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.attention;

import org.jspecify.annotations.Nullable;

/// The tensors and choices of one application of attention.
///
/// @param mask null if each target sees all sources
/// @param dropout by which weights are multiplied; null for none
/// @param <A> the arrays: `float[]` or `double[]`
public record AttentionInputs<A>(
    AttentionShape shape,
    A query,
    A key,
    A value,
    @Nullable AttentionMask<A> mask,
    @Nullable DropoutFactors dropout) {}
