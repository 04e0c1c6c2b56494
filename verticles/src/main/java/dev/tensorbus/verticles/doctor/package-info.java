// SPDX-License-Identifier: Apache-2.0
/// Checks whether a training can run on this machine, and how well.
package dev.tensorbus.verticles.doctor;
