// SPDX-License-Identifier: Apache-2.0
/// Configures logging: one format for all workers, text or JSON.
package dev.tensorbus.verticles.log;
