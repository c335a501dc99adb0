import { expect, it } from 'vitest';
import { z } from 'zod';
import { openEnum, refTo, setOf, withTraits } from '../../src/kind/traits.ts';
import { typeWords } from '../../src/manual/type-words.ts';

it.each<[z.ZodType, string]>([
  [z.string(), 'text'],
  [z.string().min(1), 'text, not empty'],
  [z.string().min(1).max(5), 'text, at most 5 characters'],
  [z.string().min(2).max(5), 'text, 2 to 5 characters'],
  [z.string().length(32), 'text, 32 characters'],
  [z.string().regex(/^a+$/), 'text like ^a+$'],
  [z.ipv4(), 'IPv4 address'],
  [z.url().optional(), 'URL'],
  [z.int(), 'whole number'],
  [z.int().min(60), 'whole number, at least 60'],
  [z.number().min(0.5).max(2), 'number, 0.5 to 2'],
  [z.boolean().nullable().optional(), 'true or false'],
  [z.enum(['a', 'b']), 'one of a, b'],
  [z.literal([301, 308]).nullable(), 'one of 301, 308'],
  [z.literal('*'), '`*`'],
  [openEnum(['a', 'b']).optional(), 'one of a, b (others cause a warning)'],
  [z.array(z.string()), 'list, each text'],
  [z.array(z.int()).min(1).max(3), 'list of 1 to 3, each whole number'],
  [setOf(z.string()).optional(), 'set, each text'],
  [setOf(refTo('box')), 'set, each name of a box'],
  [refTo('box').optional(), 'name of a box'],
  [withTraits(z.record(z.string(), z.int()), { ref: 'box' }), 'map by name, each whole number'],
  [z.record(z.string(), z.boolean()), 'map by name, each true or false'],
  [z.union([z.string(), z.number()]).nullable(), 'text or number'],
  [z.union([z.strictObject({}), z.strictObject({ a: z.string() })]), 'object'],
  [
    z
      .string()
      .toLowerCase()
      .pipe(z.union([z.ipv4(), z.cidrv4()])),
    'IPv4 address or IPv4 range',
  ],
  [z.string().transform(Number), 'text'],
  [z.any(), 'any value'],
  [z.lazy(() => z.boolean()), 'true or false'],
])('type %#', (schema, words) => {
  expect(typeWords(schema)).toBe(words);
});
