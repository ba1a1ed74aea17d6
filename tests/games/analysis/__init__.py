"""Tests of what is worked out about finished games."""
