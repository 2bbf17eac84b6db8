"""The likelihood of explanations: the costs of steps, of what is left over, and of what came back."""
