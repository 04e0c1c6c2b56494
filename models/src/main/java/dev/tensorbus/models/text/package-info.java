// SPDX-License-Identifier: Apache-2.0

/// Reads and generates texts, and batches them for language models.
package dev.tensorbus.models.text;
