// SPDX-License-Identifier: Apache-2.0

/// The parameter server. [ModelServer] serves the versions of a model, accepts pushes at once or
/// under a [Consistency], and predicts. [Clocks] decides which pushes become a step and which
/// trainers may continue. [BatchedCalls] processes the calls of a whole group together. The classes
/// do not depend on a transport: both remote calls and gRPC requests are mapped to them.
package dev.tensorbus.optim.server;
