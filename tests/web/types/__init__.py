"""Types of the page for TypeScript, and the schema that they are generated from."""
