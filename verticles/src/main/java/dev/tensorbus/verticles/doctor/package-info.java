// SPDX-License-Identifier: Apache-2.0
/// Looks at this machine: whether a training can run here, and how well.
package dev.tensorbus.verticles.doctor;
