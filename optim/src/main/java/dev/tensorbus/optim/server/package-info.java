// SPDX-License-Identifier: Apache-2.0

/// Parameter servers. A [ParameterStore] is a trainer's view of parameters that live on
/// [ParameterServer]s. A [ModelServer] holds a whole model on one worker: it serves the versions of
/// the model, accepts pushes at once or in rounds, and predicts. The classes do not depend on a
/// transport.
package dev.tensorbus.optim.server;
