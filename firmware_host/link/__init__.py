"""The link: the one companion of a board that uses the network, by MQTT and a broker."""
