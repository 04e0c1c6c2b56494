// SPDX-License-Identifier: Apache-2.0

/// Residual networks for images.
package dev.tensorbus.models.resnet;
