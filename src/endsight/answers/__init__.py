"""Answers: solving, values and moves by position, distributions, policies, reviews."""
