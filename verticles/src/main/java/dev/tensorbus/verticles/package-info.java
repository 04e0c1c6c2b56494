// SPDX-License-Identifier: Apache-2.0
/// Deploys a worker's role in Vert.x; wiring only, no arithmetic.
package dev.tensorbus.verticles;
