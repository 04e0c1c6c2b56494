// SPDX-License-Identifier: Apache-2.0

/// Reads and makes texts, and deals them out to language models.
package dev.tensorbus.models.text;
