// SPDX-License-Identifier: Apache-2.0

/// `--profile`: writes a profile of some training steps of all workers to a file.
package dev.tensorbus.verticles.profile;
