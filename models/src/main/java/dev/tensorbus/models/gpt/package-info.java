// SPDX-License-Identifier: Apache-2.0

/// Transformers that generate text.
package dev.tensorbus.models.gpt;
