"""Text that users write: sanitising, profanity, and the avatar made of a name."""
