import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../support/sweep.ts';
import { findingsIn, type MadeSet, madeView } from './dns-view.ts';

/* Counts lookups by expanding all includes, as RFC 7208 (section 4.6.4) has it, without any memory of what was counted before. */

const zone = 'z.test';
const nameAt = (index: number) => `n${index}.${zone}`;

interface Record {
  /** Terms that are looked up, but lead nowhere in the zone. */
  plain: number;
  /** The indexes of included records. */
  includes: number[];
  /** The index of the record that takes its place at the end, if it has no `all`. */
  redirect: number | undefined;
  hasAll: boolean;
}

const records = fc.array(
  fc.record({
    plain: fc.integer({ min: 0, max: 5 }),
    includes: fc.array(fc.integer({ min: 0, max: 7 }), { maxLength: 3 }),
    redirect: fc.option(fc.integer({ min: 0, max: 7 }), { nil: undefined }),
    hasAll: fc.boolean(),
  }),
  { minLength: 1, maxLength: 8 },
);

const textOf = ({ plain, includes, redirect, hasAll }: Record) =>
  [
    'v=spf1',
    ...Array.from(
      { length: plain },
      (_, index) => ['a', 'MX:x.example', 'exists:%{i}.x', '?ptr', '-include:y.example'][index],
    ),
    ...(redirect === undefined ? [] : [`redirect=${nameAt(redirect)}`]),
    ...includes.map((index) => `include:${nameAt(index)}.`),
    ...(hasAll ? ['~all', 'a', 'mx', `include:${nameAt(0)}`] : []),
  ].join(' ');

/** The records whose terms the evaluation of a record reaches. */
const referred = ({ includes, redirect, hasAll }: Record) =>
  redirect === undefined || hasAll ? includes : [...includes, redirect];

function expand(all: readonly Record[], index: number, way: readonly number[] = []): number {
  const record = all[index];
  if (way.includes(index)) return Number.POSITIVE_INFINITY;
  if (!record) return 0;
  const below = referred(record).map((next) => 1 + expand(all, next, [...way, index]));
  return below.reduce((sum, count) => sum + count, record.plain);
}

const findingsOf = (all: readonly Record[]) => {
  const sets = all.map(
    (record, index): MadeSet => ({ name: nameAt(index), type: 'TXT', values: [textOf(record)] }),
  );
  return findingsIn(madeView(zone, sets, [])).map(({ address, message }) => ({
    index: Number(/\/n(\d)\//.exec(address)![1]),
    message,
  }));
};

it('the lookups are those of all included records, and the cause is the record that has no other cause below', () => {
  const property = fc.property(records, (made) => {
    // A record includes only later ones, so there are no circles.
    const all = made.map((record, index) => ({
      ...record,
      includes: record.includes.filter((next) => next > index),
      redirect: record.redirect !== undefined && record.redirect > index ? record.redirect : undefined,
    }));
    const counts = all.map((_, index) => expand(all, index));
    const causes = all.flatMap((record, index) =>
      counts[index]! > 10 && referred(record).every((next) => (counts[next] ?? 0) <= 10) ? [index] : [],
    );
    const found = findingsOf(all);
    expect(found.map(({ index }) => index).sort()).toEqual(causes);
    for (const { index, message } of found)
      expect(message).toContain(`at least ${counts[index]} DNS lookups`);
  });
  fc.assert(property, { numRuns: runs(5_000, 50) });
});

it('a circle is found, once', () => {
  const property = fc.property(records, (all) => {
    const isTooMuch = all.some((_, index) => expand(all, index) > 10);
    const found = findingsOf(all);
    expect(found.length > 0).toBe(isTooMuch);
    expect(new Set(found.map(({ index }) => index)).size).toBe(found.length);
  });
  fc.assert(property, { numRuns: runs(5_000, 50) });
});
