"""The simulated table: pieces, hands, and where everything lies."""
