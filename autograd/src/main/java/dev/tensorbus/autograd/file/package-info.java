// SPDX-License-Identifier: Apache-2.0

/// Writes files: whole or not there at all, and the messages that some of them consist of.
package dev.tensorbus.autograd.file;
