// SPDX-License-Identifier: Apache-2.0

/// Calls a method on another worker: calls, references, options, errors.
package dev.tensorbus.rpc;
