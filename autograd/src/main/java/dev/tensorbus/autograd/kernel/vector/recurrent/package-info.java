// SPDX-License-Identifier: Apache-2.0

/// The kernels for LSTM, GRU and plain recurrent networks, implemented with the Vector API.
package dev.tensorbus.autograd.kernel.vector.recurrent;
