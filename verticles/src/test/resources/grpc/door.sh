#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# door.sh CLIENT_FOLDER PORT [CERTIFICATE]: drives a door with Python's grpcio, which it installs from
# Debian's packages if it can. Ends with 77 where there is none.
python=/usr/bin/python3
has_grpc() { "$python" -c 'import grpc, numpy, google.protobuf' 2>/dev/null; }
# Where the packages cannot be reached this must end soon.
has_grpc || timeout 120 apt-get install -y -qq -o Acquire::http::Timeout=10 -o Acquire::Retries=0 \
  -o DPkg::Lock::Timeout=10 python3-grpcio python3-numpy >/dev/null 2>&1
has_grpc || exit 77
client=$1; shift
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$client exec "$python" "$(dirname "$0")/door.py" "$@"
