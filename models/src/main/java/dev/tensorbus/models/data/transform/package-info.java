// SPDX-License-Identifier: Apache-2.0

/// Transforms of images. After `torchvision.transforms`.
package dev.tensorbus.models.data.transform;
