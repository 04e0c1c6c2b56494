// SPDX-License-Identifier: Apache-2.0

/// The live page of a world in the browser: `--page`. Rank 0 serves the page and polls each worker
/// once a second.
package dev.tensorbus.verticles.page;
