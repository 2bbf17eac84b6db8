"""Set-up: discovering which wire belongs to which point."""
