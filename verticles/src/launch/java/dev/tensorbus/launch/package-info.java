// SPDX-License-Identifier: Apache-2.0
/// Starts a program on a JDK that can run it, from whatever `java` was typed. Java 17, JDK only.
@NullMarked
package dev.tensorbus.launch;

import org.jspecify.annotations.NullMarked;
