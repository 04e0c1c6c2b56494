// SPDX-License-Identifier: Apache-2.0

/// Transformers that go on with a text.
package dev.tensorbus.models.gpt;
