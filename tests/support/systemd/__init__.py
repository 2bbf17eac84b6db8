"""The files of the service, and what stands in for systemd and for packages."""
