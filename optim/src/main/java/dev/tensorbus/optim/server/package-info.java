// SPDX-License-Identifier: Apache-2.0

/// Parameter servers. A [ParameterStore] is a trainer's view of parameters that live on
/// [ParameterServer]s. A [ModelServer] serves a model to others: the versions of its parameters and
/// predictions, and, if the parameters are on servers, a place among their trainers. The classes do
/// not depend on a transport.
package dev.tensorbus.optim.server;
