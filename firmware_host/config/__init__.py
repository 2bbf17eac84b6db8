"""The configuration file: loading, validation, writing, and the header lines that it assigns."""
