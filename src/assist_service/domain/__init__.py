"""Rules as functions of values: pure, synchronous, time is an argument."""
