// SPDX-License-Identifier: Apache-2.0

/// Answers calls of several workers together.
package dev.tensorbus.rpc.batch;
