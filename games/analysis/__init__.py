"""A finished game explained: what each viewer could believe, who was ahead, and who lied.

Pure computation over the public events, the claims and the truth of a game that is over. The words
for its results are in `games.wording.truth`.
"""
