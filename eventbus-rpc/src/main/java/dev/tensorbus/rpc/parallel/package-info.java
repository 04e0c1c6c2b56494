// SPDX-License-Identifier: Apache-2.0

/// Layers that live on other workers or have a copy on each worker.
package dev.tensorbus.rpc.parallel;
