// SPDX-License-Identifier: Apache-2.0

/// Uses layers that live on other workers.
package dev.tensorbus.rpc.parallel;
