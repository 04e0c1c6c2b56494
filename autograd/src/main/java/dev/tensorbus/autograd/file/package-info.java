// SPDX-License-Identifier: Apache-2.0

/// Writes the project's files atomically.
package dev.tensorbus.autograd.file;
