"""Records as GitHub's JSON: the shapes of its official OpenAPI description."""
