"""The only writers of what accounts keep of people and between them."""
