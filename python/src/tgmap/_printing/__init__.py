# SPDX-License-Identifier: Apache-2.0
"""Text and pictures for people."""
