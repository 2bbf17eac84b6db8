"""Random hands at the headless board, judged by rules of their own."""
