// SPDX-License-Identifier: Apache-2.0

/// Reads image files as tensors, with the JDK's own readers.
package dev.tensorbus.models.data.image;
