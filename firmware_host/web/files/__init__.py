"""The files of the page as they are sent to browsers."""
