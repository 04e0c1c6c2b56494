// SPDX-License-Identifier: Apache-2.0

/// `--profile`: takes a profile of some steps of a training, of all workers, into a file.
package dev.tensorbus.verticles.profile;
