// SPDX-License-Identifier: Apache-2.0

/// Makes the calls of this worker: sends and repeats requests, and handles their answers.
package dev.tensorbus.rpc.call.caller;
