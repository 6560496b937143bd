"""These tests run where TransformerLens is installed (requirements.txt beside this file) and nowhere else."""

from importlib.util import find_spec

collect_ignore_glob = [] if find_spec("transformer_lens") else ["test_*.py"]
