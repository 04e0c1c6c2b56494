// SPDX-License-Identifier: Apache-2.0
/// The `tensorbus` command line.
package dev.tensorbus.verticles.command;
