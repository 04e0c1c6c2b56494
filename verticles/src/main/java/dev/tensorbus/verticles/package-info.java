// SPDX-License-Identifier: Apache-2.0
/// Deploys the roles of workers in Vert.x; wiring only, no arithmetic.
package dev.tensorbus.verticles;
