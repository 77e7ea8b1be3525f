# SPDX-License-Identifier: Apache-2.0
"""A plugin of pytest: tests of programs that import ``tensogram`` run on tgmap.compat."""

import tgmap.compat

tgmap.compat.install()
