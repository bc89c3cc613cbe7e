"""The pages people use: sign in with a cookie, and see what one's own seats show."""
