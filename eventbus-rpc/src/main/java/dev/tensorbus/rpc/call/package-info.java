// SPDX-License-Identifier: Apache-2.0

/// Code shared by callers and callees, and interfaces for other packages: attachments of calls,
/// access to peers, and handlers of frames.
package dev.tensorbus.rpc.call;
