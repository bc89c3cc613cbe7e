"""One Postgres, shared by every replica: nothing that must last or be counted lives anywhere else."""
