"""The manual as Markdown files: read from a folder, each page checked, cut into sections."""
