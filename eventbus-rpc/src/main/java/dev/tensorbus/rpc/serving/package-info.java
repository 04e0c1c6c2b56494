// SPDX-License-Identifier: Apache-2.0

/// The calls of other workers that wait here, run here, or have run here.
package dev.tensorbus.rpc.serving;
