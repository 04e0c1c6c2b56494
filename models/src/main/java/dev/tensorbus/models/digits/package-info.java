// SPDX-License-Identifier: Apache-2.0

/// Handwritten digits: MNIST, and synthetic ones.
package dev.tensorbus.models.digits;
