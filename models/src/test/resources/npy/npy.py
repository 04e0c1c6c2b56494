# SPDX-License-Identifier: Apache-2.0
"""Writes the .npy files beside it by NumPy 2.4.6 itself (Python 3.11): python3 npy.py"""
import warnings

import numpy as np
from numpy.lib import format

warnings.simplefilter("ignore")  # versions 2.0 and 3.0 are asked for on purpose


def save(name, array, version=None):
    with open(name + ".npy", "wb") as out:
        format.write_array(out, array, version=version)


table = np.array([[0.5, -1.25, 3e38], [np.nan, np.inf, -0.0]])
save("float32", table.astype("<f4"))
save("float32_big_endian", table.astype(">f4"))
save("float64", np.array([0.1, -2.5e300]))
save("int64", np.array([[-(2**63)], [2**63 - 1]]))
save("int32", np.array([-(2**31), 2**31 - 1, 7], dtype="<i4"))
save("int32_big_endian", np.array([-(2**31), 2**31 - 1, 7], dtype=">i4"))
save("uint8", np.array([[0, 127], [128, 255]], dtype=np.uint8))
save("bool", np.array([True, False, True]))
save("scalar", np.array(42.0, dtype=np.float32))
save("empty", np.zeros((0, 3), dtype=np.float32))
save("fortran", np.asfortranarray(np.arange(24, dtype=np.float32).reshape(2, 3, 4)))
save("version2", np.arange(3, dtype=np.float32), (2, 0))
save("version3", np.arange(3, dtype=np.float32), (3, 0))
save("objects", np.array([{"a": 1}], dtype=object))
save("records", np.array([(1, 2.0)], dtype=[("a", "<i4"), ("b", "<f4")]))
halves = np.array([1, -2, 65504, 2.0**-24, np.inf, np.nan, -0.0, 1 / 3])
save("float16", halves.astype("<f2"))
save("float16_big_endian", halves.astype(">f2"))
save("complex64", np.zeros(2, dtype=np.complex64))
