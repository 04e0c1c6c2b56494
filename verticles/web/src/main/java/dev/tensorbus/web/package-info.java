// SPDX-License-Identifier: Apache-2.0
/// Serves a model over HTTP, with JSON in and out.
package dev.tensorbus.web;
