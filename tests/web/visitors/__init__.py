"""Tests of what visitors of the server may do and fetch, and of what hostile ones can't."""
