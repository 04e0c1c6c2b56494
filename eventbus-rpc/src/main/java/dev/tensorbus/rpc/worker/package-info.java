// SPDX-License-Identifier: Apache-2.0

/// Assembles one worker out of its parts, and ends it.
package dev.tensorbus.rpc.worker;
