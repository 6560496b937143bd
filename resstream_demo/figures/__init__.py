"""Pictures and files made of results: plotly figures, JSON and CSV."""
