// SPDX-License-Identifier: Apache-2.0

/// The complete networks of the programs.
package dev.tensorbus.models;
