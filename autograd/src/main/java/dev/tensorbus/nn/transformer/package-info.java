// SPDX-License-Identifier: Apache-2.0

/// Transformers: layers in which each position of a sequence attends to others.
package dev.tensorbus.nn.transformer;
