// SPDX-License-Identifier: Apache-2.0

/// The parameter server: what a trainer may do to a model, and when. [ModelServer] has the model's
/// versions, takes pushes one by one or in rounds, and predicts. [BatchedCalls]
/// computes the calls of a whole group together. The classes know no transport: remote calls and
/// gRPC are translated to them.
package dev.tensorbus.optim.server;
