// SPDX-License-Identifier: Apache-2.0
/// Shows the progress of a training: a bar on a terminal, lines elsewhere, events between our
/// processes. Also writes its curves to files.
package dev.tensorbus.verticles.progress;
