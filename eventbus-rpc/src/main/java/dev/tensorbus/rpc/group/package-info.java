// SPDX-License-Identifier: Apache-2.0

/// Groups that wait for their members: [Members] knows who is present, who has left and who is
/// still expected, and a [Round] ends when all of them have contributed a value. State machines
/// without threads, time or I/O.
package dev.tensorbus.rpc.group;
