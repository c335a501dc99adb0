import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { digestFields } from '../../src/kind/digests.ts';
import {
  createOnly,
  immutable,
  readMayLack,
  secret,
  setOf,
  withTraits,
  writeOnly,
} from '../../src/kind/traits.ts';
import { asksForWrite } from '../../src/model/change.ts';
import { ledgerKeyFrom } from '../../src/model/digest.ts';
import type { LedgerEntry } from '../../src/model/ledger.ts';
import { Sealed } from '../../src/model/sealed.ts';
import type { Fields } from '../../src/model/value.ts';
import { type DiffInput, diff } from '../../src/plan/diff.ts';

const schemas = {
  a: z.string().nullable().optional(),
  b: z.string().optional(),
  nested: z.strictObject({ one: z.string().optional(), two: z.string().optional() }).nullable().optional(),
  set: setOf(z.string()).optional(),
  fixed: immutable(z.string()).optional(),
  once: createOnly(z.string()).optional(),
  hidden: writeOnly(z.string()).optional(),
  shy: readMayLack(z.string()).optional(),
  secret: secret(z.string()).optional(),
  blind: withTraits(secret(z.string()), { writeOnly: true }).optional(),
};
const key = ledgerKeyFrom('a key that is long enough');
const salt = 'salt';

/** What the ledger has after `fields` were applied. */
function applied(fields: Fields, more: Partial<LedgerEntry> = {}): LedgerEntry {
  const declared = new Set(Object.keys(schemas).flatMap((name) => [name, `${name}.one`, `${name}.two`]));
  const digests = digestFields(schemas, fields, declared, salt, key);
  return { kind: 'thing', ids: ['1'], origin: 'created', salt, form: 1, ...digests, ...more };
}

const of = (last: Fields | undefined, live: Fields, desired: Fields, more: Partial<DiffInput> = {}) =>
  diff({ schemas, form: 1, desired, live, key, entry: last && applied(last), ...more });
const causes = (...pair: Parameters<typeof of>) =>
  Object.fromEntries(of(...pair).fields.map(({ path, cause }) => [path, cause]));

describe('a field, by what was last applied, what is live, and what is wanted', () => {
  it.each([
    ['all equal: nothing', 'x', 'x', 'x', undefined],
    ['live is as wanted: only recorded', 'x', 'y', 'y', 'recorded'],
    ['live is as applied: our edit', 'x', 'x', 'y', 'edit'],
    ['wanted is as applied: drift', 'x', 'y', 'x', 'drift'],
    ['all differ: conflict', 'x', 'y', 'z', 'conflict'],
  ])('%s', (_, last, live, desired, cause) => {
    expect(causes({ a: last }, { a: live }, { a: desired }).a).toBe(cause);
  });

  it('not named any more: released, and shown as it is', () => {
    expect(of({ a: 'x', b: 'y' }, { a: 'x', b: 'z' }, { a: 'x' }).fields).toEqual([
      { path: 'b', before: 'z', cause: 'released' },
    ]);
  });

  it('null: reset', () => {
    expect(causes({ a: 'x' }, { a: 'x' }, { a: null })).toEqual({ a: 'edit' });
    expect(causes({ a: null }, {}, { a: null })).toEqual({});
    expect(causes({ a: null }, { a: 'x' }, { a: null })).toEqual({ a: 'drift' });
  });

  it('never named: not ours, whatever it is', () => {
    expect(causes({ a: 'x' }, { a: 'x', b: 'anything' }, { a: 'x' })).toEqual({});
    expect(
      causes({ nested: { one: 'x' } }, { nested: { one: 'x', two: 'y' } }, { nested: { one: 'x' } }),
    ).toEqual({});
  });

  it('newly named: an edit, not a conflict; if it is so already, only recorded', () => {
    expect(causes({ a: 'x' }, { a: 'x', b: 'live' }, { a: 'x', b: 'wanted' })).toEqual({ b: 'edit' });
    expect(causes({ a: 'x' }, { a: 'x', b: 'y' }, { a: 'x', b: 'y' })).toEqual({ b: 'recorded' });
  });

  it('without a ledger: unknown; in another normal form as well, and what is equal is left alone', () => {
    expect(causes(undefined, { a: 'x', b: 'y' }, { a: 'z', b: 'y' })).toEqual({ a: 'unknown' });
    const entry = applied({ a: 'z', b: 'y' });
    expect(causes(undefined, { a: 'x', b: 'y' }, { a: 'z', b: 'y' }, { entry, form: 2 })).toEqual({
      a: 'unknown',
    });
  });

  it('ignored: neither compared nor released', () => {
    const ignore = ['a', 'nested.one'];
    const live = { a: 'y', nested: { one: 'y', two: 'x' } };
    const wanted = { a: 'x', nested: { one: 'x', two: 'x' } };
    expect(of(wanted, live, wanted, { ignore })).toMatchObject({ fields: [], ignored: ['a', 'nested.one'] });
    expect(causes(wanted, live, { nested: { two: 'x' } }, { ignore })).toEqual({});
  });

  it('an object that is replaced by null is not "released" member by member', () => {
    expect(causes({ nested: { one: 'x' } }, { nested: { one: 'x' } }, { nested: null })).toEqual({
      nested: 'edit',
    });
  });

  it('a set has no order', () => {
    expect(causes({ set: ['a', 'b'] }, { set: ['b', 'a'] }, { set: ['a', 'b'] })).toEqual({});
    expect(causes({ set: ['a'] }, { set: ['b', 'a'] }, { set: ['a'] })).toEqual({ set: 'drift' });
  });

  it('what the platform cannot change asks for a replacement, but not to be recorded', () => {
    expect(of({ fixed: 'x' }, { fixed: 'x' }, { fixed: 'y' }).fields).toMatchObject([{ replaces: true }]);
    expect(of({ fixed: 'x' }, { fixed: 'y' }, { fixed: 'y' }).fields[0]!.replaces).toBeUndefined();
    // An answer that leaves it out does not replace the object; another declared value, or one never applied, does.
    expect(causes({ fixed: 'x' }, {}, { fixed: 'x' })).toEqual({});
    expect(causes({ fixed: 'x' }, {}, { fixed: 'y' })).not.toEqual({});
    expect(causes({}, {}, { fixed: 'x' })).toEqual({ fixed: 'edit' });
  });

  it('what counts at creation only is never compared', () => {
    expect(causes({ once: 'x' }, {}, { once: 'y' })).toEqual({});
  });

  it('what cannot be read is compared with what was applied', () => {
    expect(causes({ hidden: 'x' }, {}, { hidden: 'x' })).toEqual({});
    expect(causes({ hidden: 'x' }, {}, { hidden: 'y' })).toEqual({ hidden: 'edit' });
    expect(causes({ shy: 'x' }, {}, { shy: 'x' })).toEqual({});
    expect(causes({ shy: 'x' }, { shy: 'y' }, { shy: 'x' })).toEqual({ shy: 'drift' });
  });
});

describe('a secret', () => {
  const s = (text: string) => new Sealed(text);

  it('that can be read is compared in memory, and shown sealed on both sides', () => {
    const { fields } = of({ secret: s('old') }, { secret: s('old') }, { secret: s('new') });
    expect(fields).toMatchObject([{ path: 'secret', cause: 'edit', secret: true }]);
    expect(JSON.stringify(fields)).not.toMatch(/old|new/);
  });

  it('that cannot be read is compared with its keyed digest', () => {
    expect(causes({ blind: s('x') }, {}, { blind: s('x') })).toEqual({});
    expect(causes({ blind: s('x') }, {}, { blind: s('y') })).toEqual({ blind: 'edit' });
  });

  it.each([
    ['a lost ledger', undefined, key],
    ['another key', applied({ blind: s('x') }), ledgerKeyFrom('quite another key, as long')],
    ['no key', applied({ blind: s('x') }), undefined],
  ])('is unverified with %s, never changed, unless it is to be sent', (_, entry, now) => {
    const pair = { entry, key: now };
    expect(of(undefined, {}, { blind: s('x') }, pair)).toMatchObject({ fields: [], unverified: ['blind'] });
    expect(causes(undefined, {}, { blind: s('x') }, { ...pair, sendUnverified: true })).toEqual({
      blind: 'unverified',
    });
  });

  it('that is not at hand is not compared', () => {
    const hole = { $secret: 'database' };
    expect(of({ blind: s('x') }, {}, { blind: hole })).toMatchObject({ fields: [], unavailable: ['blind'] });
    expect(of({ secret: s('x') }, { secret: s('y') }, { secret: hole })).toMatchObject({
      unavailable: ['secret'],
    });
  });

  it('is not to be recorded where there is no key', () => {
    expect(
      causes({ a: 'x' }, { secret: s('x') }, { a: 'x', secret: s('x') }, { key: undefined }),
    ).toMatchObject({});
    expect(causes({}, { secret: s('x') }, { secret: s('x') }, { key: undefined })).toEqual({});
    expect(causes({}, { secret: s('x') }, { secret: s('x') })).toEqual({ secret: 'recorded' });
  });
});

it('the table holds for all values: a write is asked for where live is not as wanted, and nowhere else', () => {
  const value = fc.constantFrom('x', 'y', 'z', null);
  fc.assert(
    fc.property(fc.option(value, { nil: undefined }), value, value, (last, live, desired) => {
      const [change] = of(last === undefined ? undefined : { a: last }, { a: live }, { a: desired }).fields;
      expect(change !== undefined && asksForWrite(change)).toBe(live !== desired);
      if (live === desired || last === undefined) return;
      expect(change!.cause).toBe(last === live ? 'edit' : last === desired ? 'drift' : 'conflict');
    }),
  );
});
