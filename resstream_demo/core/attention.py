"""The attention product: the one piece of the forward pass that is ours and not the module's.

It is computed for B copies of a sequence that share their first P positions and differ after them, so that
the shared keys and values are read once and never copied.
"""

import torch
from torch import Tensor


def attention_pattern(q: Tensor, k_shared: Tensor, k_own: Tensor, own_index: Tensor, scale: float) -> Tensor:
    """Causal attention probabilities.

    q: [B, R, H, d_head] queries of R positions. k_shared: [P, H, d_head] keys all copies share.
    k_own: [B, S, H, d_head] keys of positions P … P+S−1. own_index: [R], the index among those S positions of
    each query (a query sees its own key and those before it). scale: factor on q·k.
    Returns [H, B, R, P+S]; softmax in float32, given back in q's dtype.
    """
    B, R, H, _ = q.shape
    P, S = k_shared.shape[0], k_own.shape[1]
    q = (q * scale).permute(2, 0, 1, 3)  # [H, B, R, d_head]
    own = torch.matmul(q, k_own.permute(2, 0, 3, 1))  # [H, B, R, S]
    later = torch.arange(S, device=q.device)[None, :] > own_index[:, None]
    own = own.masked_fill_(later, float("-inf"))
    if P:
        shared = torch.bmm(q.reshape(H, B * R, -1), k_shared.permute(1, 2, 0))
        own = torch.cat([shared.view(H, B, R, P), own], dim=-1)
    return torch.softmax(own, dim=-1, dtype=torch.float32).to(q.dtype)


def attention_output(pattern: Tensor, v_shared: Tensor, v_own: Tensor) -> Tensor:
    """Mix values by a pattern [H, B, R, P+S]: z [B, R, H, d_head].

    v_shared: [P, H, d_head]; v_own: [B, S, H, d_head].
    """
    H, B, R, _ = pattern.shape
    P = v_shared.shape[0]
    z = torch.matmul(pattern[..., P:], v_own.permute(2, 0, 1, 3))  # [H, B, R, d_head]
    if P:
        shared = torch.bmm(pattern[..., :P].reshape(H, B * R, P), v_shared.permute(1, 0, 2))
        z = z + shared.view(z.shape)
    return z.permute(1, 2, 0, 3)
