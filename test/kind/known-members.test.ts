import { expect, it } from 'vitest';
import * as z from 'zod';
import { withoutUnknownMembers } from '../../src/kind/known-members.ts';
import { atomic } from '../../src/kind/traits.ts';
import type { Value } from '../../src/model/value.ts';

const named = z.strictObject({ name: z.string() });

/** Returns a live value of the field `f` without unknown members, and the paths of these. */
function known(schema: z.ZodType, value: Value) {
  const lost: string[] = [];
  const kept = withoutUnknownMembers(schema, value, 'f', (path) => lost.push(path));
  return { kept, lost };
}

it.each([
  ['a list', z.array(named), [{ name: 'a', x: 1 }], [{ name: 'a' }], 'f[].x'],
  ['an atomic object', atomic(named), { name: 'a', x: 1 }, { name: 'a' }, 'f.x'],
  ['one of several forms', z.union([z.string(), named]), { name: 'a', x: 1 }, { name: 'a' }, 'f.x'],
  [
    'a form in an object that is compared leaf by leaf',
    z.strictObject({ to: z.union([z.string(), named]).optional() }),
    { to: { name: 'a', x: 1 } },
    { to: { name: 'a' } },
    'f.to.x',
  ],
  [
    'an entry whose key has a dot',
    z.record(z.string(), z.array(named)),
    { 'a.b': [{ name: 'a', 'x.y': 1 }] },
    { 'a.b': [{ name: 'a' }] },
    'f.a\\.b[].x\\.y',
  ],
] as [string, z.ZodType, Value, Value, string][])(
  'an unknown member of %s is left out and noted',
  (_, schema, value, kept, path) => expect(known(schema, value)).toEqual({ kept, lost: [path] }),
);

const forms = z.union([
  z.strictObject({ type: z.literal('a'), one: z.string() }),
  z.strictObject({ type: z.literal('b'), two: z.string().optional() }),
]);
it.each([
  ['an item in an unknown form', z.array(forms), [{ type: 'c', one: 'x' }]],
  ['an item without a needed member', z.array(forms), [{ type: 'a', x: 1 }]],
  ['a value of another type', z.array(named), { name: 'a', x: 1 }],
  ['an item of another type', z.array(named), [['a'], 'a', null]],
  ['a member that is compared by itself', named, { name: 'a', x: 1 }],
  ['free JSON', z.array(z.strictObject({ json: z.any() })), [{ json: { x: 1 } }]],
  ['an object with free keys', z.array(z.looseObject({ name: z.string() })), [{ name: 'a', x: 1 }]],
] as [string, z.ZodType, Value][])('%s stays as it is', (_, schema, value) =>
  expect(known(schema, value)).toEqual({ kept: value, lost: [] }),
);

it('an item that has unknown members only is still an item', () => {
  const optional = z.array(named.partial());
  expect(known(optional, [{ name: 'a' }, { x: 1 }]).kept).toEqual([{ name: 'a' }, {}]);
  const text = '{ "name": "a", "__proto__": { "name": "b" }, "constructor": 1 }';
  expect(known(optional, [JSON.parse(text)])).toEqual({
    kept: [{ name: 'a' }],
    lost: ['f[].__proto__', 'f[].constructor'],
  });
});
