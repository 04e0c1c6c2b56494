// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.recurrent;

/// The output of a network for [packed sequences][PackedSequence].
///
/// @param sequence the last layer's hidden states, packed like the input
/// @param state the state after the last step of each sequence, in the original order of sequences
public record PackedOutput<S>(PackedSequence sequence, S state) {}
