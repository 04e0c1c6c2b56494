// SPDX-License-Identifier: Apache-2.0

/// Writes files atomically, and encodes and decodes protocol buffers.
package dev.tensorbus.autograd.file;
