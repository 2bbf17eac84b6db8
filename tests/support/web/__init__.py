"""Helpers for tests of the page: browsers, boards, clients and catalogues."""
