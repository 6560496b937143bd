"""What the bundled model can do and how: skills on held-out inputs, layers, circuits, and the model card."""
