"""Bridges to the field: its files, its engines, its programs' interfaces."""
