"""The engine: tokens, models, traces, sweeps and metrics. Knows no method and no screen."""
