"""What templates need to show what is said at a table."""

from django import template

register = template.Library()
