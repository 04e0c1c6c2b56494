// SPDX-License-Identifier: Apache-2.0
/// Starts a world from an application's own `main`.
package dev.tensorbus.verticles.application;
