import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { digestFields } from '../../src/kind/digests.ts';
import { secretUnlessWritten, withTraits } from '../../src/kind/traits.ts';
import { ledgerKeyFrom } from '../../src/model/digest.ts';
import type { LedgerEntry } from '../../src/model/ledger.ts';
import { Sealed } from '../../src/model/sealed.ts';
import type { Fields, Value } from '../../src/model/value.ts';
import { diff } from '../../src/plan/diff.ts';

const value = secretUnlessWritten(z.string(), () => true, {
  inClear: () => true,
  neverReturned: () => false,
});
const schemas = { value, note: withTraits(z.string(), {}).optional() };
const key = ledgerKeyFrom('a key that is long enough');

/** The outcome for a declared value if the live one is `live`: the cause of the change, or `not compared`. */
function outcome(live: string, declared: Value, applied?: Fields, form = 1): unknown {
  const entry: LedgerEntry | undefined = applied && {
    ...{ kind: 'thing', ids: ['1'], origin: 'created', salt: 'salt', form },
    ...digestFields(schemas, applied, new Set(['value', 'note']), 'salt', key),
  };
  const pair = { schemas, form: 1, live: { value: new Sealed(live) }, desired: { value: declared }, entry };
  const { fields, unverified } = diff(pair);
  return unverified.length > 0 ? 'not compared' : (fields[0]?.cause ?? 'as it is');
}

describe('without a key, a plan does not tell a right guess from a wrong one', () => {
  const sealed = (text: string) => new Sealed(text);
  it.each<[string, Fields | undefined, Value, number, string]>([
    ['nothing was applied', undefined, 'guess', 1, 'not compared'],
    ['clear text was applied, and another value is declared', { value: 'old' }, 'guess', 1, 'conflict'],
    ['the guess was applied', { value: 'guess' }, 'guess', 1, 'drift'],
    ['a secret was applied', { value: sealed('old') }, 'guess', 1, 'edit'],
    [
      'a secret was applied, and one is declared',
      { value: sealed('old') },
      sealed('guess'),
      1,
      'not compared',
    ],
    ['another field was applied', { note: 'old' }, 'guess', 1, 'edit'],
    ['another form was applied', { value: 'old' }, 'guess', 0, 'not compared'],
  ])('%s', (_, applied, declared, form, expected) => {
    const [right, wrong] = ['guess', 'theirs'].map((live) => outcome(live, declared, applied, form));
    // Clear text that was applied and is still live is no secret.
    expect(right).toBe(applied?.value === 'guess' ? 'as it is' : expected);
    expect(wrong).toBe(expected);
  });
});
