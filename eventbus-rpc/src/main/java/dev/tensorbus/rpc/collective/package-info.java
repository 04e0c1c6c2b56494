// SPDX-License-Identifier: Apache-2.0

/// Operations that several workers do together: gather, sum, wait for each other.
package dev.tensorbus.rpc.collective;
