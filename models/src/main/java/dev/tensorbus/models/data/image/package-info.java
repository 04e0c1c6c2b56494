// SPDX-License-Identifier: Apache-2.0

/// Reads images from files as tensors, by the JDK's own readers.
package dev.tensorbus.models.data.image;
