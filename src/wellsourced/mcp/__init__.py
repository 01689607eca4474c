"""The protocol: stdio, the dispatcher both transports share, prompts, resources and completions."""
