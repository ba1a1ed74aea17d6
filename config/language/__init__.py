"""The languages of the site as a trade: making them, checking them, offering them."""
