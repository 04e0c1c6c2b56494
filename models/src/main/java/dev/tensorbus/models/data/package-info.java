// SPDX-License-Identifier: Apache-2.0

/// Reads and creates data sets, and loads them in batches.
package dev.tensorbus.models.data;
