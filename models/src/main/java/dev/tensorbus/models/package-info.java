// SPDX-License-Identifier: Apache-2.0

/// Complete networks, as the example programs use them.
package dev.tensorbus.models;
