// SPDX-License-Identifier: Apache-2.0
/// The verticles of the workers' roles, with their settings; wiring only, no arithmetic.
package dev.tensorbus.verticles;
