// SPDX-License-Identifier: Apache-2.0

/// Changes images before a network sees them. After `torchvision.transforms`.
package dev.tensorbus.models.data.transform;
