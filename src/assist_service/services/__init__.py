"""What the service does, one use case a module, everything it needs passed in."""
