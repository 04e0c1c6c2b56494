// SPDX-License-Identifier: Apache-2.0

/// Shows a world that trains in a browser: `--page`. Each worker answers rank 0's question once a
/// second, and rank 0 serves the page.
package dev.tensorbus.verticles.page;
