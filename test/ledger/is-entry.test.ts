import fc from 'fast-check';
import { expect, it } from 'vitest';
import { entrySchema, isEntry } from '../../src/ledger/parse-ledger.ts';
import { oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(3);

const text = fc.string({ maxLength: 5 });
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const flag = optional(fc.constant(true as const));
const entry = fc.record({
  kind: text,
  ids: fc.array(text, { maxLength: 2 }),
  origin: fc.constantFrom('created', 'adopted'),
  salt: text,
  form: fc.integer(),
  fields: fc.dictionary(text, text, { maxKeys: 3 }),
  secrets: fc.dictionary(text, fc.record({ key: text, digest: text }), { maxKeys: 2 }),
  hidden: optional(fc.array(text, { maxLength: 2 })),
  updatedAt: optional(fc.integer()),
  targets: optional(fc.dictionary(text, fc.array(text, { maxLength: 2 }), { maxKeys: 2 })),
  notKept: optional(fc.dictionary(text, text, { maxKeys: 2 })),
  protect: flag,
  onRemove: optional(fc.constant('delete')),
  existing: flag,
  tainted: flag,
  dependsOn: optional(fc.array(text, { maxLength: 2 })),
});

story('takes what is written', () => {
  fc.assert(fc.property(entry, (one) => isEntry(one) && entrySchema.safeParse(one).success));
});

it('takes nothing that the schema refuses', () => {
  const wrong = fc.oneof(
    fc.constantFrom<unknown>(undefined, null, Number.NaN, 1.5, 'text', true, false),
    fc.constantFrom<unknown>([], {}, [1], { a: 1 }, { a: { key: 'k' } }, { a: ['x'] }, [['x']]),
  );
  let refused = 0;
  fc.assert(
    fc.property(entry, fc.nat(), wrong, (one, at, value) => {
      const names = Object.keys(one);
      const changed = { ...one, [names[at % names.length]!]: value };
      const isRight = entrySchema.safeParse(changed).success;
      if (!isRight) refused++;
      expect(isEntry(changed)).toBe(isRight);
    }),
    { numRuns: 500 },
  );
  expect(refused).toBeGreaterThan(100);
  for (const other of [undefined, null, 1, 'text', [], {}]) expect(isEntry(other)).toBe(false);
});
