// SPDX-License-Identifier: Apache-2.0

/// Groups whose members are waited for: [Members] knows who is present, who has left and who is
/// still expected, and a [Round] ends when all of them have brought a value. State machines without
/// threads, time or I/O.
package dev.tensorbus.rpc.group;
