import { expect, it } from 'vitest';
import * as z from 'zod';
import { emptyIsAbsent, withoutEmpty } from '../../src/kind/empty-is-absent.ts';
import { atomic, emptyCounts } from '../../src/kind/traits.ts';
import { Sealed } from '../../src/model/sealed.ts';
import type { Value } from '../../src/model/value.ts';

const empties = (): Value[] => ['', false, null, [], {}];
const member = z
  .union([z.string(), z.boolean(), z.array(z.string()), z.strictObject({})])
  .nullable()
  .optional();
const whole = (shape: z.ZodRawShape) => ({ field: atomic(z.strictObject(shape)) });
const normal = (schemas: Record<string, z.ZodType>, field: Value) => withoutEmpty(schemas, { field }).field;

it.each(empties())('an optional member that is %j equals absent', (empty) => {
  expect(normal(whole({ name: z.string(), member }), { name: 'a', member: empty })).toEqual({ name: 'a' });
  const items = { field: z.array(z.strictObject({ name: z.string(), member })) };
  expect(normal(items, [{ name: 'a', member: empty }])).toEqual([{ name: 'a' }]);
  const inUnion = { field: z.union([z.string(), z.strictObject({ name: z.string(), member })]) };
  expect(normal(inUnion, { name: 'a', member: empty })).toEqual({ name: 'a' });
  const nested = whole({ inner: z.strictObject({ member }).optional() });
  expect(normal(nested, { inner: { member: empty } })).toEqual({});
  const inMap = whole({ map: z.record(z.string(), z.strictObject({ member })) });
  expect(normal(inMap, { map: { a: { member: empty } } })).toEqual({ map: { a: {} } });
});

it.each(empties())('%j is kept where it may mean more', (empty) => {
  const kept: [string, Record<string, z.ZodType>, Value][] = [
    ['the declared field itself', { field: member }, empty],
    ['a member that is compared by itself', { field: z.strictObject({ member }) }, { member: empty }],
    ['a needed member', whole({ member: z.any().refine((one) => one !== undefined) }), { member: empty }],
    ['an entry of a map', { field: atomic(z.record(z.string(), member)) }, { a: empty }],
    ['an item of a list', { field: z.array(member) }, [empty]],
    ['free JSON', { field: atomic(z.any()) }, { a: empty, b: [{ c: empty }] }],
    ['free JSON in a member', whole({ json: z.any().optional() }), { json: empty }],
    ['another usual value', whole({ member: z.union([z.any()]).default(true) }), { member: empty }],
    [
      'what says that it counts',
      whole({ member: emptyCounts(z.union([member])).optional() }),
      { member: empty },
    ],
  ];
  for (const [why, schemas, value] of kept) expect(normal(schemas, value), why).toEqual(value);
});

it('null that cannot be declared is absent, even where other empty values count', () => {
  const counting = (schema: z.ZodType) => whole({ member: emptyCounts(schema).optional() });
  expect(normal(counting(z.string()), { member: null })).toEqual({});
  expect(normal(counting(z.string()), { member: '' })).toEqual({ member: '' });
  expect(normal(counting(z.string().nullable()), { member: null })).toEqual({ member: null });
});

it('a usual value that is empty itself is one more way to say absent', () => {
  expect(emptyIsAbsent(z.boolean().default(false))).toBe(true);
  expect(emptyIsAbsent(z.boolean().default(true))).toBe(false);
  expect(emptyIsAbsent(z.number().optional())).toBe(true);
  expect(emptyIsAbsent(z.string())).toBe(false);
});

it('of several forms the one counts whose constants fit', () => {
  const schemas = {
    field: z.discriminatedUnion('type', [
      z.strictObject({ type: z.literal('a'), text: z.string() }),
      z.strictObject({ type: z.literal('b'), text: z.string().optional() }),
    ]),
  };
  expect(normal(schemas, { type: 'a', text: '' })).toEqual({ type: 'a', text: '' });
  expect(normal(schemas, { type: 'b', text: '' })).toEqual({ type: 'b' });
});

it('zero, secrets and holes are never empty, and what has nothing to leave out is the same object', () => {
  const schemas = whole({ number: z.number().optional(), text: z.string().optional() });
  const fields = { field: { number: 0, text: new Sealed('') } };
  expect(withoutEmpty(schemas, fields)).toBe(fields);
  const hole = { field: { number: { $ref: 'a/b', attr: 'id' }, text: { $join: [] } } };
  expect(withoutEmpty(schemas, hole)).toBe(hole);
});
