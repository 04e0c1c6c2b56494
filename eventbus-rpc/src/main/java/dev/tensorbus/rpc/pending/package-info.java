// SPDX-License-Identifier: Apache-2.0

/// The calls of this worker that wait for an answer.
package dev.tensorbus.rpc.pending;
