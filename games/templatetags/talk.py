"""The template library of the chat; it has no tags."""

from django import template

register = template.Library()
