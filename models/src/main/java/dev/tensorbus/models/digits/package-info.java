// SPDX-License-Identifier: Apache-2.0

/// Handwritten digits: MNIST's, and others that are drawn without any data.
package dev.tensorbus.models.digits;
