"""What the project promises of speed and size, measured in one run."""
