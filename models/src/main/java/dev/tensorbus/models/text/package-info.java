// SPDX-License-Identifier: Apache-2.0

/// Reads and generates texts, and cuts them into batches for language models.
package dev.tensorbus.models.text;
