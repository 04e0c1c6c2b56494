// SPDX-License-Identifier: Apache-2.0

/// The surroundings of a call: its target, the context that it is made in, and the context that it
/// runs in. The parts of a worker make calls through `CallSender`.
package dev.tensorbus.rpc.call;
