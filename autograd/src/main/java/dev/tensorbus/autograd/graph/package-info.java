// SPDX-License-Identifier: Apache-2.0

/// The graph that operations record, and the backward pass through it. Like
/// `torch::autograd::Node` and its engine.
package dev.tensorbus.autograd.graph;
