// SPDX-License-Identifier: Apache-2.0

/// Decides on the calls that come: what may run, what runs already, how much.
package dev.tensorbus.rpc.serving;
