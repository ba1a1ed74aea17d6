"""The public API: what everyone may see, as JSON for programs. `document` describes each route."""
