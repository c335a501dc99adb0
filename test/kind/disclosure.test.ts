import { expect, test } from 'vitest';
import * as z from 'zod';
import { dependsOnMissingField, mayCopy, secrecyOf } from '../../src/kind/disclosure.ts';
import { secret, secretUnlessWritten, traitsOf, writeOnly } from '../../src/kind/traits.ts';
import type { Secrecy } from '../../src/model/resource.ts';

const variable = traitsOf(
  secretUnlessWritten(z.string(), ({ type }) => type !== 'plain', {
    inClear: () => true,
    neverReturned: ({ type }) => type === 'sensitive',
  }),
);

test.each<[string, Secrecy, Secrecy]>([
  ['a text', secrecyOf(traitsOf(z.string()), {}), 'open'],
  ['a text that never comes back', secrecyOf(traitsOf(writeOnly(z.string())), {}), 'open'],
  ['a secret', secrecyOf(traitsOf(secret(z.string())), {}), 'readable'],
  ['a secret that never comes back', secrecyOf(traitsOf(writeOnly(secret(z.string()))), {}), 'write-only'],
  ['a plain variable', secrecyOf(variable, { type: 'plain' }), 'open'],
  ['an encrypted variable', secrecyOf(variable, { type: 'encrypted' }), 'readable'],
  ['a variable without a type', secrecyOf(variable, {}), 'readable'],
  ['a sensitive variable', secrecyOf(variable, { type: 'sensitive' }), 'write-only'],
])('%s has its level of secrecy', (_, level, expected) => {
  expect(level).toBe(expected);
});

test('a value goes to a field of the same or a higher level only', () => {
  const levels: Secrecy[] = ['open', 'readable', 'write-only'];
  const allowed = levels.map((source) => levels.filter((target) => mayCopy(source, target)));
  expect(allowed).toEqual([levels, ['readable', 'write-only'], ['write-only']]);
});

test('the secrecy of a variable depends on the account unless its type is declared', () => {
  expect(dependsOnMissingField(variable, {})).toBe(true);
  expect(dependsOnMissingField(variable, { type: 'encrypted' })).toBe(false);
  expect(dependsOnMissingField(traitsOf(secret(z.string())), {})).toBe(false);
});
