#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes a Java runtime of the modules that workers need: sh config/docker/runtime.sh FOLDER
# Takes the JDK of JAVA_HOME, or else the jlink on the PATH; 25 or newer.
set -eu
[ $# -eq 1 ] || { echo "usage: $0 FOLDER" >&2; exit 2; }

# By jdeps: java.desktop (pictures), java.sql, java.naming and java.scripting (Hazelcast), jdk.jfr
# (Netty), jdk.unsupported (Netty, Fory), jdk.incubator.vector (kernels). By reflection, which jdeps
# does not see: jdk.management and jdk.net (Hazelcast), jdk.zipfs (reading jars).
modules=java.compiler,java.desktop,java.management,java.naming,java.scripting,java.sql
modules=$modules,jdk.incubator.vector,jdk.jfr,jdk.management,jdk.net,jdk.unsupported,jdk.zipfs

"${JAVA_HOME:+$JAVA_HOME/bin/}jlink" --add-modules "$modules" --output "$1" \
  --compress zip-6 --no-header-files --no-man-pages --generate-cds-archive
