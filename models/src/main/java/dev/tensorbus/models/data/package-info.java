// SPDX-License-Identifier: Apache-2.0

/// Reads and makes data sets, and deals them out in batches.
package dev.tensorbus.models.data;
