"""Carrying a patch to targets: judged, and later committed and pushed."""
