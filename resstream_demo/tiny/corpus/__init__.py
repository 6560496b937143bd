"""The text that the bundled model was trained on: a small, seeded, noisy world in English."""
