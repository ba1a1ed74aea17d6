"""Simulation of whole games played by bots."""
