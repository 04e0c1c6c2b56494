// SPDX-License-Identifier: Apache-2.0

/// Groups that wait for their members: [Members] tracks which members are present, have left or are
/// still expected, and a [Round] ends when all members have contributed a value. State machines
/// without threads, time or I/O.
package dev.tensorbus.rpc.group;
