// SPDX-License-Identifier: Apache-2.0

/// The RNN program: a language model whose embedding table and decoder live on the parameter
/// server and whose LSTM lives on the trainer. After PyTorch's "Getting Started with Distributed
/// RPC Framework".
package dev.tensorbus.verticles.rnn;
