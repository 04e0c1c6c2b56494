// SPDX-License-Identifier: Apache-2.0
/// Sets up how programs log: one format for all workers, as text or as JSON.
package dev.tensorbus.verticles.log;
