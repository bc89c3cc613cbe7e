"""LMSs that this service reads as the person who asks."""
