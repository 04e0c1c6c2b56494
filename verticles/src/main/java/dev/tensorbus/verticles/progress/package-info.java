// SPDX-License-Identifier: Apache-2.0
/// Shows the progress of a training: a bar on a terminal, lines elsewhere, and events between the
/// launcher and its workers. Also writes the training's curves to files.
package dev.tensorbus.verticles.progress;
