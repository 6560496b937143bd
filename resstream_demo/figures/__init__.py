"""Pictures and files made of results: drawings for papers, JSON and CSV."""
