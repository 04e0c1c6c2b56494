// SPDX-License-Identifier: Apache-2.0

/// Activations as layers, for [dev.tensorbus.nn.Sequential].
package dev.tensorbus.nn.activation;
