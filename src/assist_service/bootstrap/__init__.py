"""Makes every object of the service, once, and closes them: the only package that names adapters."""
