"""The board in Home Assistant: its description, its states and events, and the commands of its house."""
