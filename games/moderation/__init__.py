"""What moderators need to judge a case: access, conflicts of interest, evidence."""
