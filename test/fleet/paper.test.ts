import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { paceOf } from '../../providers/hosting/limits/pace.ts';
import { durationText } from '../../src/report/text.ts';

/** What the bench measured of a stack of 20 resources that nobody changed; the index is measured in `test/ledger/ownership-index.test.ts`. */
const [requests, ledgerBytes, indexBytes] = [6, 10_464, 25];
/** What answers may say of reads: nobody publishes it. A minute each. */
const assumed = [500, 1000, 2000];

const limitOf = (what: string) => paceOf().limits.find((limit) => limit.what === what)!;
const minutes = (number: number) => durationText(number * 60_000);
const bytes = (number: number) =>
  number >= 1e12
    ? `${Math.round(number / 1e11) / 10} TB`
    : number >= 1e9
      ? `${Math.round(number / 1e8) / 10} GB`
      : number >= 1e6
        ? `${Math.round(number / 1e6)} MB`
        : `${Math.round(number / 1e3)} kB`;
const thousands = (number: number) => number.toLocaleString('en-US');

function rowOf(stacks: number): string {
  const [creations, updates] = [limitOf('DNS record creations'), limitOf('DNS record updates')];
  const cells = [
    thousands(stacks),
    thousands(stacks * requests),
    ...assumed.map((each) => minutes((stacks * requests) / each)),
    minutes(((stacks / creations.allowed) * creations.window) / 60),
    minutes(((stacks / updates.allowed) * updates.window) / 60),
    `${bytes(stacks * ledgerBytes)}, ${bytes(stacks * stacks * ledgerBytes)}`,
    `${bytes(stacks * indexBytes)}, ${bytes(stacks * stacks * indexBytes)}`,
  ];
  return `| ${cells.join(' | ')} |`;
}

it('the table of what limits allow says what follows from its assumptions', () => {
  const text = readFileSync('docs/costs-and-limits.md', 'utf8');
  for (const stacks of [500, 5000, 20_000]) expect(text).toContain(rowOf(stacks));
});
