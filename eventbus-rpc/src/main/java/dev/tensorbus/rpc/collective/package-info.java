// SPDX-License-Identifier: Apache-2.0

/// Operations that several workers run together: gather, sum and barrier.
package dev.tensorbus.rpc.collective;
