# SPDX-License-Identifier: Apache-2.0
"""Objects of many archives as one array, by their places."""
