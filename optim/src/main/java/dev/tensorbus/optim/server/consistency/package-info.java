// SPDX-License-Identifier: Apache-2.0

/// How the pushes of several trainers become steps, and how far a trainer may run ahead.
package dev.tensorbus.optim.server.consistency;
