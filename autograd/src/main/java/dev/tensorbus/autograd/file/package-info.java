// SPDX-License-Identifier: Apache-2.0

/// Writes files that are whole or not there, for all that the project saves.
package dev.tensorbus.autograd.file;
