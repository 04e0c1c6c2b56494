// SPDX-License-Identifier: Apache-2.0
/// Shows how far a training is: a bar on a terminal, lines elsewhere, events between our
/// processes. Writes its curves where a user asks for them.
package dev.tensorbus.verticles.progress;
