// SPDX-License-Identifier: Apache-2.0
/// Runs one worker in this JVM, from its configuration to its exit code.
package dev.tensorbus.verticles.worker;
