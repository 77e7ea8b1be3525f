# SPDX-License-Identifier: Apache-2.0
"""Archives as labelled cubes of xarray. Use :func:`tgmap.to_dataset`, or ``xarray.open_dataset(path,
engine="tgmap")``."""
