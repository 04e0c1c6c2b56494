#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# have.sh MODULES: whether Debian's Python has all of "grpc numpy". What it has not is installed from Debian's
# packages, if that can be done soon.
has_all() { for module in $1; do /usr/bin/python3 -c "import $module" 2>/dev/null || return 1; done; }
has_all "$1" && exit
timeout 120 apt-get install -y -qq -o Acquire::http::Timeout=10 -o Acquire::Retries=0 \
  -o DPkg::Lock::Timeout=10 python3-grpcio python3-numpy >/dev/null 2>&1
has_all "$1"
