"""Tests of the panel's modules, run by Node: what no browser is needed for."""
