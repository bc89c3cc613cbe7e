"""HTTP: authentication before anything else, problems by table, one router a resource."""
