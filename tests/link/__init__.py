"""The link: topics, the connection to a broker, and the companion."""
