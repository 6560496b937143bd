"""Every test runs on the CPU, on one thread, with no network."""

import os

# Read at import time by the libraries they belong to, so they are set before anything else is imported.
os.environ.update(
    CUDA_VISIBLE_DEVICES="",
    GRADIO_ANALYTICS_ENABLED="False",
    HF_HUB_DISABLE_TELEMETRY="1",
    HF_HUB_OFFLINE="1",
    OMP_NUM_THREADS="1",
    TOKENIZERS_PARALLELISM="false",
    TRANSFORMERS_OFFLINE="1",
)

import torch  # noqa: E402

# The models under test are tiny: a second thread has nothing to do, and on a busy machine the two wait for each
# other a hundred times longer than they compute.
torch.set_num_threads(1)
