"""The benchmark runs, both of its sides do the same work, and its report says what was measured."""

from resstream_demo.bench import N_TOKENS, bench_residual_sweep, random_gpt2, report


def test_both_sides_give_the_same_numbers_and_the_report_shows_the_ratio():
    model = random_gpt2(n_layer=2, n_head=2, n_embd=32, vocab_size=20_000)
    row = bench_residual_sweep(model, rounds=1)
    assert row.cells == 2 * (N_TOKENS - 1)
    assert row.difference < 1e-4
    assert row.ratio == row.hooks_s / row.ours_s
    assert f"{row.ratio:.1f} ×" in report(row)
