// SPDX-License-Identifier: Apache-2.0

/// The parameter server. [ModelServer] serves the versions of a model, accepts pushes individually
/// or in rounds, and predicts. [BatchedCalls] processes the calls of a whole group together. The
/// classes do not depend on a transport: both remote calls and gRPC requests are mapped to them.
package dev.tensorbus.optim.server;
