// SPDX-License-Identifier: Apache-2.0

/// Reads tables from CSV files, splits them, and turns their columns into tensors.
package dev.tensorbus.models.data.table;
