// SPDX-License-Identifier: Apache-2.0

/// Transforms of images. Like `torchvision.transforms`.
package dev.tensorbus.models.data.transform;
