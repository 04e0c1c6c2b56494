// SPDX-License-Identifier: Apache-2.0

/// Where a call goes, the context in which it is made, and the one in which it runs. A worker's own
/// parts make their calls through `CallSender`.
package dev.tensorbus.rpc.call;
