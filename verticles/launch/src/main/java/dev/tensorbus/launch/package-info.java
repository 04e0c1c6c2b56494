// SPDX-License-Identifier: Apache-2.0
/// Starts a program on a suitable JDK, whichever `java` the user ran. Compatible with Java 17;
/// depends only on the JDK.
package dev.tensorbus.launch;
