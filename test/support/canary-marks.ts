import type * as z from 'zod';
import { kinds as allKinds } from '../../providers/hosting/kinds/index.ts';
import type { Kind } from '../../src/kind/kind.ts';
import { innerOf, shapeOf, traitsOf } from '../../src/kind/traits.ts';
import type { Block } from './sample.ts';

/** What takes the place of a secret text. */
type Mark = (text: string) => string;

const isObject = (value: unknown): value is Block =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Values of an object, or items of a list, each with another in its place. */
function within(value: unknown, change: (inner: unknown, name: string) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item, at) => change(item, String(at)));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, change(inner, name)]));
}

/** What a schema says of a member: an object's own, or that of a map, a list, or one of several shapes. */
function schemasOf(schema: z.ZodType, name: string): z.ZodType[] {
  const def = schema.def as { valueType?: z.ZodType; element?: z.ZodType; options?: z.ZodType[] };
  const inner = innerOf(schema);
  const shape = shapeOf(schema);
  if (shape) return shape[name] ? [shape[name]] : [];
  if (inner) return schemasOf(inner, name);
  return (
    def.options?.flatMap((one) => schemasOf(one, name)) ??
    [def.valueType ?? def.element].flatMap((one) => one ?? [])
  );
}

/** The value with each text marked that is a secret whatever the fields beside it say; a text of a form of its own stays as it is. */
function markIn(value: unknown, schemas: z.ZodType[], mark: Mark): unknown {
  const secret = schemas.find((one) => traitsOf(one).secret === true && !traitsOf(one).inClear);
  if (secret) {
    const marked = markAll(value, mark);
    return secret.safeParse(marked).success ? marked : value;
  }
  return within(value, (inner, name) =>
    markIn(
      inner,
      schemas.flatMap((one) => schemasOf(one, name)),
      mark,
    ),
  );
}

const markAll = (value: unknown, mark: Mark): unknown =>
  typeof value === 'string' ? mark(value) : within(value, (inner) => markAll(inner, mark));

/** A block of a kind with each text marked that its fields say is a secret. */
export const withMarks = ({ fields }: Kind, block: Block, mark: Mark): Block =>
  within(block, (value, name) => (fields[name] ? markIn(value, [fields[name]], mark) : value)) as Block;

/** The body of a configuration with all its secrets marked. */
export const bodyWithMarks = (body: Block, mark: Mark): Block => inSections(body, undefined, mark);

function inSections(block: Block, parent: string | undefined, mark: Mark): Block {
  const below = allKinds.filter((one) => one.parent === parent);
  return within(block, (inside, section) =>
    below
      .filter((one) => one.section === section)
      .reduce((marked, kind) => {
        const inBlock = (one: unknown) =>
          isObject(one) ? inSections(withMarks(kind, one, mark), kind.name, mark) : one;
        return kind.key.length === 0 ? inBlock(marked) : within(marked, inBlock);
      }, inside),
  ) as Block;
}
