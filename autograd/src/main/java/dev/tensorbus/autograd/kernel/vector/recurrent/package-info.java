// SPDX-License-Identifier: Apache-2.0

/// The steps of LSTM, GRU and plain recurrent networks.
package dev.tensorbus.autograd.kernel.vector.recurrent;
