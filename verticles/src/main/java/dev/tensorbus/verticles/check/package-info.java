// SPDX-License-Identifier: Apache-2.0

/// Compares the gradients of a model that is here with those of one that is spread over workers.
package dev.tensorbus.verticles.check;
