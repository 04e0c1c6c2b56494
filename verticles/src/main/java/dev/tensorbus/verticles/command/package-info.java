// SPDX-License-Identifier: Apache-2.0
/// The `tensorbus` command line and the mains of the roles.
package dev.tensorbus.verticles.command;
