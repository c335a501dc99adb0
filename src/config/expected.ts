import type * as z from 'zod';
import { optionsOf, shapeOf, typeOf } from './schema-options.ts';
import { hintFor, quoted } from './suggest.ts';

/** What can stand in a field, for the hint of something that cannot: the keys of a map, or how a list is written. */
export function expected(schema: z.ZodType | undefined): string | undefined {
  const hints = (schema ? optionsOf(schema).schemas : []).map(hintOf);
  return [...new Set(hints.filter((hint) => hint !== undefined))].join('; or ') || undefined;
}

function hintOf(option: z.ZodType): string | undefined {
  const shape = shapeOf(option);
  if (shape) return hintFor('', Object.keys(shape), 'a map with the keys');
  const { valueType } = option.def as unknown as { valueType?: z.ZodType };
  if (typeOf(option) === 'record')
    return `a map, one entry for each name: ${quoted(`name: ${sketch(valueType)}`)}`;
  if (typeOf(option) === 'array') return 'a list: `[one, two]`, or each on a line of its own behind `- `';
  return { string: 'a text', number: 'a number', boolean: '`true` or `false`' }[typeOf(option)];
}

/** How a member of a map begins: `{ version: ... }`, or just a value. */
function sketch(schema: z.ZodType | undefined): string {
  const shape =
    schema &&
    optionsOf(schema)
      .schemas.map(shapeOf)
      .find((one) => one !== undefined);
  const [first] = Object.keys(shape ?? {});
  return first === undefined ? 'value' : `{ ${first}: ... }`;
}
