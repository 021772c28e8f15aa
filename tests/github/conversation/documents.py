"""Whole texts of the main conversation, as people see them in Markdown."""

# ruff: noqa: E501, RUF001 (the documents as they are)

OPENED = """\
<!-- upstream-bot:report {"patch":"till","number":1,"head":"FIRST","tested":"","base":"","merge":"","created":"","comment":N,"digest":"","vetted":"","asked":"2026-08-03T09:00:00Z","history":[]} -->
<!-- upstream-bot:section verdict -->
⚪ **till: no evidence yet for this head**, <code>FIRST</code>.

<!-- upstream-bot:section nothing -->
### What was not run

Nothing has been run on this commit, so nothing is proven about it.

<!-- upstream-bot:section vetting -->
### What you would be vetting

- 1 file, +2 -1 lines: <code>shop/till.py</code> (modified).
- Does not touch workflows, build, tests, owners (CODEOWNERS), lock files, submodules.
- 1 commit, by bob.
- Signatures verified by GitHub: 0 of 1; **not** <code>SHORT-FIRST</code>.
- Signed off by their author (DCO): all 1.
- Whether the change is the same as the version that was proven was not compared.
- No commit of this pull request was vetted before.

<!-- upstream-bot:section next -->
### What next, and whose turn

Upstream's runners have not been allowed to test this commit. It is a vetter's turn.

Request to a vetter: if you agree with what is listed under “What you would be vetting”, write `/ok to test FIRST` as a comment with nothing beside it. It covers exactly this commit; when the head moves, this request moves with it. This bot never vets.

<!-- upstream-bot:section again -->
### How to run it again

```sh
upstream-bot prove till --upstream https://example.org/acme/shop.git --proposal 1 --base main
```

Evidence: none yet.

<!-- upstream-bot:section about -->
A bot writes this comment for the owner of its account, and edits it as things move. It says nothing that it has not seen, and it never vets.
"""
TESTED = """\
<!-- upstream-bot:report {"patch":"till","number":1,"head":"FIRST","tested":"FIRST","base":"BASE","merge":"COMMIT","created":"2026-08-03T09:01:00Z","comment":N,"digest":"DIGEST","vetted":"","asked":"2026-08-03T09:00:00Z","history":[{"created":"2026-08-03T09:01:00Z","head":"FIRST","base":"BASE","outcome":"1 proven","digest":"DIGEST"}]} -->
<!-- upstream-bot:section headline -->
✅ **till v1: 1 proven** — keep the amount when there is no rate

<!-- upstream-bot:section base -->
Results for this head, merged into <code>main</code> at <code>BASE</code>; GitHub's trial merge was <code>COMMIT</code>.

<!-- upstream-bot:section targets -->
### Targets

| | target | environment | state | verdict | why |
|---|---|---|---|---|---|
| ✅ | <code>pull/1</code> at <code>SHORT-FIRST</code> | Python X, <code>SHORT</code> | `applies_exact` | `proven` | every required probe fails before with its signature and passes after, in all of 3 runs; 1 of 1 probes proven; its diff is the patch's v1 |

- `applies_exact`: the patch fits, line for line, in the right function.
- `proven`: every required probe fails before in the declared way and passes after, in all runs; keep-tests pass on both sides, hazards are as declared, all controls hold.

<!-- upstream-bot:section proven -->
### What was proven

- <code>amount-is-kept</code> rank 0: NameError ×3 → pass ×3 (✅ <code>pull/1</code>)
- <code>amount-is-kept</code> rank 1: UnboundLocalError ×3 → pass ×3 (✅ <code>pull/1</code>)
- <code>pull/1</code>: 2 of 2 keep-tests pass with the patch

<!-- upstream-bot:section gaps -->
### What was not run

- Real ranks: every rank was simulated in one process; none had a process of its own.
- GPU: this evidence names no run on one.

<!-- upstream-bot:section objections -->
### The strongest objections

- Hazard <code>wrong-total</code> rank 0: TypeError ×3 → TypeError ×3 (<code>pull/1</code>).

<!-- upstream-bot:section vetting -->
### What you would be vetting

- 1 file, +2 -1 lines: <code>shop/till.py</code> (modified).
- Does not touch workflows, build, tests, owners (CODEOWNERS), lock files, submodules.
- 1 commit, by bob.
- Signatures verified by GitHub: 0 of 1; **not** <code>SHORT-FIRST</code>.
- Signed off by their author (DCO): all 1.
- The change is the same as the version that was proven.
- No commit of this pull request was vetted before.

<!-- upstream-bot:section next -->
### What next, and whose turn

Upstream's runners have not been allowed to test this commit. It is a vetter's turn.

Request to a vetter: if you agree with what is listed under “What you would be vetting”, write `/ok to test FIRST` as a comment with nothing beside it. It covers exactly this commit; when the head moves, this request moves with it. This bot never vets.

<!-- upstream-bot:section again -->
### How to run it again

```sh
upstream-bot prove till --upstream https://example.org/acme/shop.git --proposal 1 --base main
```

Evidence of <code>FIRST</code>: <code>DIGEST</code>.

<!-- upstream-bot:section controls -->
<details><summary>Controls</summary>

- <code>pull/1</code>, sham: a comment only: held
- <code>pull/1</code>, ablation: left out: print(f"no rate for {code}"): held, noticed by <code>amount-is-kept rank 0</code>
- <code>pull/1</code>, ablation: left out: rate = 1: held, noticed by <code>amount-is-kept</code>
- <code>pull/1</code>, mutant: the handler except KeyError dropped: held, noticed by <code>amount-is-kept</code>
- <code>pull/1</code>, mutant: except Exception in place of except KeyError: held, noticed by <code>others-escape</code>
- <code>pull/1</code>, mutant: a bare except in place of except KeyError: held, noticed by <code>others-escape</code>
- <code>pull/1</code>, mutant: print&#95;(f"no rate for {code}"): an undefined name in place of print: held, noticed by <code>amount-is-kept rank 0</code>
- <code>pull/1</code>, mutant: print(f"no rate for {code&#95;}"): an undefined name in place of code: held, noticed by <code>amount-is-kept rank 0</code>
- <code>pull/1</code>, mutant: print(f"no rate for ") in place of print(f"no rate for {code}"): held, noticed by <code>amount-is-kept rank 0</code>
- <code>pull/1</code>, mutant: print(f"no rate for {amount}"): amount in place of code: held, noticed by <code>amount-is-kept rank 0</code>
- <code>pull/1</code>, mutant: rate = 1 one level out: held, noticed by <code>known-rate</code>
- <code>pull/1</code>, mutant: rate = 1 one level in: held, noticed by <code>amount-is-kept rank 1</code>
- <code>pull/1</code>, mutant: rate&#95; = 1: another name in place of rate: held, noticed by <code>amount-is-kept</code>
- <code>pull/1</code>, mutant: return None in place of rate = 1: held, noticed by <code>amount-is-kept</code>
- <code>pull/1</code>, mutant: rate = None in place of rate = 1: held, noticed by <code>amount-is-kept</code>

</details>

<!-- upstream-bot:section environment -->
<details><summary>Environment</summary>

- python: ON-THIS-MACHINE
- implementation: ON-THIS-MACHINE
- platform: ON-THIS-MACHINE
- packages: ON-THIS-MACHINE
- lock_sha256: DIGEST
- harness_sha256: DIGEST
- digest of all this: <code>DIGEST</code>
- patch: <code>DIGEST</code>
- probes: <code>DIGEST</code>

</details>

<!-- upstream-bot:section isolation -->
<details><summary>Isolation</summary>

ISOLATION

</details>

<!-- upstream-bot:section outcomes -->
<details><summary>Outcomes</summary>

- <code>pull/1</code>, <code>amount-is-kept</code> rank 0 before: ×3 fail NameError: name 'currency' is not defined (in convert)
- <code>pull/1</code>, <code>amount-is-kept</code> rank 0 after: ×3 pass
- <code>pull/1</code>, <code>amount-is-kept</code> rank 1 before: ×3 fail UnboundLocalError: cannot access local variable 'rate' where it is not associated with a value (in convert)
- <code>pull/1</code>, <code>amount-is-kept</code> rank 1 after: ×3 pass
- <code>pull/1</code>, <code>known-rate</code> rank 0 before: ×3 pass
- <code>pull/1</code>, <code>known-rate</code> rank 0 after: ×3 pass
- <code>pull/1</code>, <code>others-escape</code> rank 0 before: ×3 pass
- <code>pull/1</code>, <code>others-escape</code> rank 0 after: ×3 pass
- <code>pull/1</code>, <code>wrong-total</code> rank 0 before: ×3 fail TypeError: unsupported operand type(s) for +: 'int' and 'str' (in total)
- <code>pull/1</code>, <code>wrong-total</code> rank 0 after: ×3 fail TypeError: unsupported operand type(s) for +: 'int' and 'str' (in total)

</details>

<!-- upstream-bot:section history -->
<details><summary>History</summary>

- 2026-08-03T09:01:00Z: <code>SHORT-FIRST</code> on base <code>SHORT-BASE</code>: 1 proven; evidence <code>SHORT</code>

</details>

<!-- upstream-bot:section about -->
A bot writes this comment for the owner of its account, and edits it as things move. It says nothing that it has not seen, and it never vets.
"""
MOVED = """\
<!-- upstream-bot:report {"patch":"till","number":1,"head":"SECOND","tested":"FIRST","base":"BASE","merge":"COMMIT","created":"2026-08-03T09:01:00Z","comment":N,"digest":"DIGEST","vetted":"","asked":"2026-08-03T09:02:00Z","history":[{"created":"2026-08-03T09:01:00Z","head":"FIRST","base":"BASE","outcome":"1 proven","digest":"DIGEST"}]} -->
<!-- upstream-bot:section verdict -->
⚪ **till: no evidence yet for this head**, <code>SECOND</code>; the head has moved, and results for the older commit <code>FIRST</code> are folded below.

<!-- upstream-bot:section nothing -->
### What was not run

Nothing has been run on this commit, so nothing is proven about it.

<!-- upstream-bot:section vetting -->
### What you would be vetting

- 2 files, +3 -1 lines: <code>README.md</code> (added), <code>shop/till.py</code> (modified).
- Does not touch workflows, build, tests, owners (CODEOWNERS), lock files, submodules.
- 2 commits, by bob.
- Signatures verified by GitHub: 0 of 2; **not** <code>SHORT-FIRST</code>, <code>SHORT-SECOND</code>.
- Signed off by their author (DCO): 1 of 2; **not** <code>SHORT-SECOND</code>.
- Whether the change is the same as the version that was proven was not compared.
- No commit of this pull request was vetted before.

<!-- upstream-bot:section next -->
### What next, and whose turn

Upstream's runners have not been allowed to test this commit. It is a vetter's turn.

Request to a vetter: if you agree with what is listed under “What you would be vetting”, write `/ok to test SECOND` as a comment with nothing beside it. It covers exactly this commit; when the head moves, this request moves with it. This bot never vets.

<!-- upstream-bot:section again -->
### How to run it again

```sh
upstream-bot prove till --upstream https://example.org/acme/shop.git --proposal 1 --base main
```

Evidence of <code>FIRST</code>: <code>DIGEST</code>.

<!-- upstream-bot:section older -->
<details><summary>Results for the older commit <code>FIRST</code>: they say nothing about this head</summary>

<!-- upstream-bot:section headline -->
✅ **till v1: 1 proven** — keep the amount when there is no rate

<!-- upstream-bot:section targets -->
### Targets

| | target | environment | state | verdict | why |
|---|---|---|---|---|---|
| ✅ | <code>pull/1</code> at <code>SHORT-FIRST</code> | Python X, <code>SHORT</code> | `applies_exact` | `proven` | every required probe fails before with its signature and passes after, in all of 3 runs; 1 of 1 probes proven; its diff is the patch's v1 |

- `applies_exact`: the patch fits, line for line, in the right function.
- `proven`: every required probe fails before in the declared way and passes after, in all runs; keep-tests pass on both sides, hazards are as declared, all controls hold.

<!-- upstream-bot:section proven -->
### What was proven

- <code>amount-is-kept</code> rank 0: NameError ×3 → pass ×3 (✅ <code>pull/1</code>)
- <code>amount-is-kept</code> rank 1: UnboundLocalError ×3 → pass ×3 (✅ <code>pull/1</code>)
- <code>pull/1</code>: 2 of 2 keep-tests pass with the patch

<!-- upstream-bot:section gaps -->
### What was not run

- Real ranks: every rank was simulated in one process; none had a process of its own.
- GPU: this evidence names no run on one.

<!-- upstream-bot:section objections -->
### The strongest objections

- Hazard <code>wrong-total</code> rank 0: TypeError ×3 → TypeError ×3 (<code>pull/1</code>).

<!-- upstream-bot:section end -->

</details>

<!-- upstream-bot:section history -->
<details><summary>History</summary>

- 2026-08-03T09:01:00Z: <code>SHORT-FIRST</code> on base <code>SHORT-BASE</code>: 1 proven; evidence <code>SHORT</code>

</details>

<!-- upstream-bot:section about -->
A bot writes this comment for the owner of its account, and edits it as things move. It says nothing that it has not seen, and it never vets.
"""
RUNNING = "This commit is vetted, and upstream's checks are running. It is the turn of upstream's runners."
DONE = "Upstream's tests ran on this commit and passed. It is the reviewers' turn."
