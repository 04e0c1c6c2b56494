// SPDX-License-Identifier: Apache-2.0

/// How frames travel between workers: [dev.tensorbus.rpc.transport.Transport].
package dev.tensorbus.rpc.transport;
