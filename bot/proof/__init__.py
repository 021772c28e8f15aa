"""Proving defect and cure: the same tests before and after, in processes of their own."""
