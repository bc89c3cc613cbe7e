"""An assistant behind a learning management system: nothing the model says may do harm."""
