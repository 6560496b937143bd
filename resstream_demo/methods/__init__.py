"""The four methods: pure functions from a model and prompts to a frozen result."""
