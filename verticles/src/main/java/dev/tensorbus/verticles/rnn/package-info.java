// SPDX-License-Identifier: Apache-2.0

/// The RNN program: a language model whose embedding table and decoder are on the parameter server
/// and whose LSTM is on the trainer. Modelled on PyTorch's "Getting Started with Distributed RPC
/// Framework".
package dev.tensorbus.verticles.rnn;
