// SPDX-License-Identifier: Apache-2.0

/// Makes the calls of this worker: sends and repeats them, and brings their answers back.
package dev.tensorbus.rpc.call.caller;
