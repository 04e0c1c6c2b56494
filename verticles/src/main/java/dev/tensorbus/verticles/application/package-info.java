// SPDX-License-Identifier: Apache-2.0
/// Starts a world from the main of an application.
package dev.tensorbus.verticles.application;
