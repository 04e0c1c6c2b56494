// SPDX-License-Identifier: Apache-2.0

/// Training loops for local, data-parallel and parameter-server training.
package dev.tensorbus.optim.training;
