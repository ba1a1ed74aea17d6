"""Sanctions, the audit, and what moderators see of users."""
