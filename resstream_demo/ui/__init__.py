"""The Gradio app: it draws results and computes none."""

from .environment import prepare

prepare()  # here, so that it comes before any module of the app imports gradio
