// SPDX-License-Identifier: Apache-2.0

/// What both sides of a call share, and the interfaces through which others take part: attachments
/// of calls, access to peers, and handlers of frames.
package dev.tensorbus.rpc.call;
