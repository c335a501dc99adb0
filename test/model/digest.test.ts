import fc from 'fast-check';
import { expect, it } from 'vitest';
import { canonicalJson, canonicalJsonParts } from '../../src/model/digest.ts';
import { runs } from '../support/sweep.ts';

const name = fc.string().filter((text) => !/^\d/.test(text));
const value = fc.oneof(
  fc.jsonValue(),
  fc.constant(undefined),
  fc.array(fc.option(fc.jsonValue(), { nil: undefined })),
);

it('the parts of a canonical JSON text are the text', () => {
  fc.assert(
    fc.property(fc.dictionary(name, value), (object) => {
      expect([...canonicalJsonParts(object)].join('')).toBe(canonicalJson(object));
    }),
    { numRuns: runs(20_000) },
  );
});
