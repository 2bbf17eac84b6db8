"""The engines that a board asks for turns and hints."""
