import type * as z from 'zod';
import type { Kind } from '../kind/kind.ts';
import { comparedFields, membersOf } from '../kind/leaves.ts';
import { traitsOf } from '../kind/traits.ts';
import { namesIn } from '../model/field-path.ts';

/** The schema of a leaf. */
export function schemaAt(kind: Kind, path: string): z.ZodType | undefined {
  const [first, ...names] = namesIn(path) as [string, ...string[]];
  return names.reduce<z.ZodType | undefined>(
    (at, name) => at && membersOf(at)?.(name),
    comparedFields(kind)[first],
  );
}

/** True if a field can be reset. */
export const takesNull = (kind: Kind, path: string): boolean =>
  schemaAt(kind, path)?.safeParse(null).success ?? false;

/** True if a field stands for the content of a file. */
export function isFile(kind: Kind, path: string): boolean {
  const schema = schemaAt(kind, path);
  return schema !== undefined && traitsOf(schema).file !== undefined;
}
