// SPDX-License-Identifier: Apache-2.0

/// What both sides of a call share, and the interfaces through which others take part: what travels
/// with calls, how peers are reached, and who handles which frames.
package dev.tensorbus.rpc.call;
