"""The Gradio app: it draws results and computes none."""
