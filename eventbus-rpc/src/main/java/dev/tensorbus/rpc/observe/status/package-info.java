// SPDX-License-Identifier: Apache-2.0

/// The state of a worker and of a world at one moment: who waits for whom, and where. Only data.
package dev.tensorbus.rpc.observe.status;
