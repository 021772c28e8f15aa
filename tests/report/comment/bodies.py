"""Whole bodies of the sticky report, from nothing known to results that the head has left behind."""

# ruff: noqa: E501, RUF001 (the documents as they are)

NOTHING_YET = """\
<!-- upstream-bot:report {"patch":"make-weakref","number":6856,"head":"THE-HEAD","tested":"","base":"","merge":"","created":"","comment":0,"digest":"","vetted":"","asked":"2026-08-12T12:00:00Z","history":[]} -->
<!-- upstream-bot:section verdict -->
⚪ **make-weakref: no evidence yet for this head**, <code>THE-HEAD</code>.

<!-- upstream-bot:section nothing -->
### What was not run

Nothing has been run on this commit, so nothing is proven about it.

<!-- upstream-bot:section vetting -->
### What you would be vetting

- 1 file, +2 -2 lines: <code>megatron/core/transformer/cuda_graphs.py</code> (modified).
- Does not touch workflows, build, tests, owners (CODEOWNERS), lock files, submodules.
- 1 commit, by carrier.
- Signatures verified by GitHub: all 1.
- Signed off by their author (DCO): all 1.
- The change is the same as the version that was proven.
- No commit of this pull request was vetted before.

<!-- upstream-bot:section next -->
### What next, and whose turn

Upstream's runners have not been allowed to test this commit. It is a vetter's turn.

Request to a vetter: if you agree with what is listed under “What you would be vetting”, write `/ok to test THE-HEAD` as a comment with nothing beside it. It covers exactly this commit; when the head moves, this request moves with it. This bot never vets.

<!-- upstream-bot:section again -->
### How to run it again

```sh
upstream-bot prove make-weakref --upstream https://github.com/NVIDIA/Megatron-LM --proposal 6856 --base main
```

Evidence: none yet.

<!-- upstream-bot:section about -->
A bot writes this comment for the owner of its account, and edits it as things move. It says nothing that it has not seen, and it never vets.
"""
WITH_RESULTS = """\
<!-- upstream-bot:report {"patch":"make-weakref","number":6856,"head":"THE-HEAD","tested":"THE-HEAD","base":"THE-BASE","merge":"THE-MERGE","created":"2026-08-12T11:00:00Z","comment":77,"digest":"DIGEST","vetted":"","asked":"2026-08-12T12:00:00Z","history":[{"created":"2026-08-12T11:00:00Z","head":"THE-HEAD","base":"THE-BASE","outcome":"1 proven","digest":"DIGEST"}]} -->
<!-- upstream-bot:section headline -->
✅ **make-weakref v1: 1 proven**

<!-- upstream-bot:section base -->
Results for this head, merged into <code>main</code> at <code>THE-BASE</code>; GitHub's trial merge was <code>THE-MERGE</code>.

<!-- upstream-bot:section targets -->
### Targets

| | target | environment | state | verdict | why |
|---|---|---|---|---|---|
| ✅ | <code>pull request 6856</code> at <code>a1a1a1a1a1a1</code> | Python 3.11.2, <code>333333333333</code> | `applies_exact` | `proven` | every probe fails before and passes after; 1 of 1 probes proven |

- `applies_exact`: the patch fits, line for line, in the right function.
- `proven`: every required probe fails before in the declared way and passes after, in all runs; keep-tests pass on both sides, hazards are as declared, all controls hold.

<!-- upstream-bot:section proven -->
### What was proven

- <code>handler</code> rank 0: NameError ×3 → pass ×3 (✅ <code>pull request 6856</code>)
- <code>handler</code> rank 1: UnboundLocalError ×3 → pass ×3 (✅ <code>pull request 6856</code>)
- <code>pull request 6856</code>: 1 of 1 keep-tests pass with the patch

<!-- upstream-bot:section gaps -->
### What was not run

- Real ranks: every rank was simulated in one process; none had a process of its own.
- GPU: this evidence names no run on one.

<!-- upstream-bot:section objections -->
### The strongest objections

- Hazard <code>no-group</code> rank 0: ValueError ×3 → ValueError ×3 (<code>pull request 6856</code>).

<!-- upstream-bot:section vetting -->
### What you would be vetting

- 1 file, +2 -2 lines: <code>megatron/core/transformer/cuda_graphs.py</code> (modified).
- Does not touch workflows, build, tests, owners (CODEOWNERS), lock files, submodules.
- 1 commit, by carrier.
- Signatures verified by GitHub: all 1.
- Signed off by their author (DCO): all 1.
- The change is the same as the version that was proven.
- No commit of this pull request was vetted before.

<!-- upstream-bot:section next -->
### What next, and whose turn

Upstream's runners have not been allowed to test this commit. It is a vetter's turn.

Request to a vetter: if you agree with what is listed under “What you would be vetting”, write `/ok to test THE-HEAD` as a comment with nothing beside it. It covers exactly this commit; when the head moves, this request moves with it. This bot never vets.

<!-- upstream-bot:section again -->
### How to run it again

```sh
upstream-bot prove make-weakref --upstream https://github.com/NVIDIA/Megatron-LM --proposal 6856 --base main
```

Evidence of <code>THE-HEAD</code>: <code>DIGEST</code>.

<!-- upstream-bot:section controls -->
<details><summary>Controls</summary>

- <code>pull request 6856</code>, sham: a comment-only change: held
- <code>pull request 6856</code>, mutant: &#96;wr = ten&#96; one level out: held, noticed by <code>happy-path</code>

</details>

<!-- upstream-bot:section environment -->
<details><summary>Environment</summary>

- python: 3.11.2
- packages: &#91;"torch==2.13.0"&#93;
- digest of all this: <code>3333333333333333333333333333333333333333333333333333333333333333</code>
- patch: <code>1111111111111111111111111111111111111111111111111111111111111111</code>
- probes: <code>2222222222222222222222222222222222222222222222222222222222222222</code>

</details>

<!-- upstream-bot:section isolation -->
<details><summary>Isolation</summary>

<code>none</code>: The code under test ran as the same user as the bot: the verdict can be recomputed from the outcomes, but nothing defends the outcomes themselves against that code.

</details>

<!-- upstream-bot:section outcomes -->
<details><summary>Outcomes</summary>

- <code>pull request 6856</code>, <code>handler</code> rank 0 before: ×3 fail NameError: name 'arg' is not defined (in make_weakref)
- <code>pull request 6856</code>, <code>handler</code> rank 0 after: ×3 pass
- <code>pull request 6856</code>, <code>handler</code> rank 1 before: ×3 fail UnboundLocalError: 'wr' (in make_weakref)
- <code>pull request 6856</code>, <code>handler</code> rank 1 after: ×3 pass
- <code>pull request 6856</code>, <code>happy-path</code> rank 0 before: ×3 pass
- <code>pull request 6856</code>, <code>happy-path</code> rank 0 after: ×3 pass
- <code>pull request 6856</code>, <code>no-group</code> rank 0 before: ×3 fail ValueError: no process group
- <code>pull request 6856</code>, <code>no-group</code> rank 0 after: ×3 fail ValueError: no process group

</details>

<!-- upstream-bot:section history -->
<details><summary>History</summary>

- 2026-08-12T11:00:00Z: <code>a1a1a1a1a1a1</code> on base <code>c3c3c3c3c3c3</code>: 1 proven; evidence <code>SHORT</code>

</details>

<!-- upstream-bot:section about -->
A bot writes this comment for the owner of its account, and edits it as things move. It says nothing that it has not seen, and it never vets.
"""
HEAD_MOVED = """\
<!-- upstream-bot:report {"patch":"make-weakref","number":6856,"head":"NEW-HEAD","tested":"THE-HEAD","base":"THE-BASE","merge":"THE-MERGE","created":"2026-08-12T11:00:00Z","comment":77,"digest":"DIGEST","vetted":"","asked":"2026-08-13T12:00:00Z","history":[{"created":"2026-08-12T11:00:00Z","head":"THE-HEAD","base":"THE-BASE","outcome":"1 proven","digest":"DIGEST"}]} -->
<!-- upstream-bot:section verdict -->
⚪ **make-weakref: no evidence yet for this head**, <code>NEW-HEAD</code>; the head has moved, and results for the older commit <code>THE-HEAD</code> are folded below.

<!-- upstream-bot:section nothing -->
### What was not run

Nothing has been run on this commit, so nothing is proven about it.

<!-- upstream-bot:section vetting -->
### What you would be vetting

- 1 file, +2 -2 lines: <code>megatron/core/transformer/cuda_graphs.py</code> (modified).
- Does not touch workflows, build, tests, owners (CODEOWNERS), lock files, submodules.
- 1 commit, by carrier.
- Signatures verified by GitHub: all 1.
- Signed off by their author (DCO): all 1.
- The change is the same as the version that was proven.
- No commit of this pull request was vetted before.

<!-- upstream-bot:section next -->
### What next, and whose turn

Upstream's runners have not been allowed to test this commit. It is a vetter's turn.

Request to a vetter: if you agree with what is listed under “What you would be vetting”, write `/ok to test NEW-HEAD` as a comment with nothing beside it. It covers exactly this commit; when the head moves, this request moves with it. This bot never vets.

<!-- upstream-bot:section again -->
### How to run it again

```sh
upstream-bot prove make-weakref --upstream https://github.com/NVIDIA/Megatron-LM --proposal 6856 --base main
```

Evidence of <code>THE-HEAD</code>: <code>DIGEST</code>.

<!-- upstream-bot:section older -->
<details><summary>Results for the older commit <code>THE-HEAD</code>: they say nothing about this head</summary>

<!-- upstream-bot:section headline -->
✅ **make-weakref v1: 1 proven**

<!-- upstream-bot:section targets -->
### Targets

| | target | environment | state | verdict | why |
|---|---|---|---|---|---|
| ✅ | <code>pull request 6856</code> at <code>a1a1a1a1a1a1</code> | Python 3.11.2, <code>333333333333</code> | `applies_exact` | `proven` | every probe fails before and passes after; 1 of 1 probes proven |

- `applies_exact`: the patch fits, line for line, in the right function.
- `proven`: every required probe fails before in the declared way and passes after, in all runs; keep-tests pass on both sides, hazards are as declared, all controls hold.

<!-- upstream-bot:section proven -->
### What was proven

- <code>handler</code> rank 0: NameError ×3 → pass ×3 (✅ <code>pull request 6856</code>)
- <code>handler</code> rank 1: UnboundLocalError ×3 → pass ×3 (✅ <code>pull request 6856</code>)
- <code>pull request 6856</code>: 1 of 1 keep-tests pass with the patch

<!-- upstream-bot:section gaps -->
### What was not run

- Real ranks: every rank was simulated in one process; none had a process of its own.
- GPU: this evidence names no run on one.

<!-- upstream-bot:section objections -->
### The strongest objections

- Hazard <code>no-group</code> rank 0: ValueError ×3 → ValueError ×3 (<code>pull request 6856</code>).

<!-- upstream-bot:section end -->

</details>

<!-- upstream-bot:section history -->
<details><summary>History</summary>

- 2026-08-12T11:00:00Z: <code>a1a1a1a1a1a1</code> on base <code>c3c3c3c3c3c3</code>: 1 proven; evidence <code>SHORT</code>

</details>

<!-- upstream-bot:section about -->
A bot writes this comment for the owner of its account, and edits it as things move. It says nothing that it has not seen, and it never vets.
"""
