// SPDX-License-Identifier: Apache-2.0

/// The kernels of LSTM, GRU and plain recurrent networks in the Vector API.
package dev.tensorbus.autograd.kernel.vector.recurrent;
