// SPDX-License-Identifier: Apache-2.0

/// Lets workers meet: all bring a value and get everyone's, or all fail.
package dev.tensorbus.rpc.collective;
