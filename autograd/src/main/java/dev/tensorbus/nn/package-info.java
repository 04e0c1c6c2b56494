// SPDX-License-Identifier: Apache-2.0

/// Building blocks with parameters: layers that own named tensors and compute with them.
package dev.tensorbus.nn;
