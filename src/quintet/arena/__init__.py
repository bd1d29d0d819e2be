"""Who is stronger: matches, tournaments, ratings, and the records of their games."""
