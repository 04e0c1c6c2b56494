// SPDX-License-Identifier: Apache-2.0

/// What a computation consisted of, step by step, so that another engine can repeat it.
package dev.tensorbus.autograd.trace;
