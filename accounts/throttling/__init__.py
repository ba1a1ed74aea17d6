"""Rate limits, and the answers to requests that exceed them."""
