"""Access to the Pi: header lines, I2C, SPI, and short waits."""
