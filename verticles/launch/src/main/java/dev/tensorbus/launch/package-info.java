// SPDX-License-Identifier: Apache-2.0
/// Starts a program on a JDK that can run it, from whatever `java` was typed. Java 17, JDK only.
package dev.tensorbus.launch;
