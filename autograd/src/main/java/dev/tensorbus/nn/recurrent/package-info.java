// SPDX-License-Identifier: Apache-2.0

/// Recurrent networks: layers that read a sequence step by step and maintain a state.
package dev.tensorbus.nn.recurrent;
