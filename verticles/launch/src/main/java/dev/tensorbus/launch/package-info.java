// SPDX-License-Identifier: Apache-2.0
/// Starts a program on a suitable JDK, whichever `java` the user ran. Java 17, JDK only.
package dev.tensorbus.launch;
