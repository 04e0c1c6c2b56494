#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Creates a Java runtime with the modules that workers need: sh config/docker/runtime.sh FOLDER
# Uses the JDK in JAVA_HOME, or else the jlink on the PATH; requires 25 or newer.
set -eu
[ $# -eq 1 ] || { echo "usage: $0 FOLDER" >&2; exit 2; }

# Reported by jdeps: java.desktop (images), java.sql, java.naming and java.scripting (Hazelcast), jdk.jfr
# (Netty), jdk.unsupported (Netty, Fory), jdk.incubator.vector (kernels). Used by reflection,
# which jdeps does not see: jdk.management and jdk.net (Hazelcast), jdk.zipfs (reading jars).
modules=java.compiler,java.desktop,java.management,java.naming,java.scripting,java.sql
modules=$modules,jdk.incubator.vector,jdk.jfr,jdk.management,jdk.net,jdk.unsupported,jdk.zipfs

"${JAVA_HOME:+$JAVA_HOME/bin/}jlink" --add-modules "$modules" --output "$1" \
  --compress zip-6 --no-header-files --no-man-pages --generate-cds-archive
