// SPDX-License-Identifier: Apache-2.0

/// Complete networks, which the example programs train.
package dev.tensorbus.models;
