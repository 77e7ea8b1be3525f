# SPDX-License-Identifier: Apache-2.0
"""Tables of keys, and lists of keys."""
