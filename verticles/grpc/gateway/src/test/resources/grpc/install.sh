#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Sees to it that Debian's Python has what docs/grpc's client needs: installs Debian's packages, if that can be
# done soon. Fails where it cannot.
has_all() { /usr/bin/python3 -c 'import grpc, numpy, google.protobuf' 2>/dev/null; }
has_all || timeout 120 apt-get install -y -qq -o Acquire::http::Timeout=10 -o Acquire::Retries=0 \
  -o DPkg::Lock::Timeout=10 python3-grpcio python3-numpy >/dev/null 2>&1
has_all
