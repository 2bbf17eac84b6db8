"""The stages of a set-up for the parts beside the points: the button and the buzzer."""
