"""Runs the contract against an LMS: each endpoint, and each security rule by trying to break it."""
