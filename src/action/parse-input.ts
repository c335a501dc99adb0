import type * as z from 'zod';
import { findingsOfIssue } from '../config/fields/findings-of-issue.ts';
import { expectedHint, objectShapeOf, schemaOptionsOf, typeOf } from '../config/fields/schema-options.ts';
import { hintFor, quoted } from '../config/suggest.ts';
import type { FieldSchemas } from '../kind/kind.ts';
import type { Input } from '../kind/lookup.ts';
import { docOf, traitsOf } from '../kind/traits.ts';
import { type Diagnostic, Problems, problem } from '../model/diagnostic.ts';
import { isExact } from '../model/exact-number.ts';
import { parseJsonOrText } from '../model/json-in.ts';
import { Sealed } from '../model/sealed.ts';

/** The input that words stand for, and problems with words that stand for none. */
interface InputDescription {
  /** For people: `redeploy`. */
  name: string;
  /** As people write a word: `--input`. */
  flag: string;
}

/**
 * The input of an action or a lookup: `name=value` words by its schemas. A list is given by several words of one name, or as JSON; dots lead
 * into objects. What has the secret trait is sealed. Throws `Problems` with all that is unknown, missing or of another type.
 */
export function parseInput(
  words: readonly (readonly [string, string])[],
  schemas: FieldSchemas,
  { name: what, flag }: InputDescription,
): Input {
  const raw: Input = {};
  const wrong = words.flatMap(([path, text]) =>
    putInput(raw, path.split('.'), text, schemas, { name: what, flag }),
  );
  if (wrong.length > 0) throw new Problems(wrong);
  return checkInput(raw, schemas, { name: what, flag });
}

/** The same for values that are there already. */
export function checkInput(raw: Input, schemas: FieldSchemas, { name: what, flag }: InputDescription): Input {
  const input: Input = {};
  const wrong: Diagnostic[] = [];
  for (const [name, schema] of Object.entries(schemas)) {
    const { success, data, error } = schema.safeParse(raw[name]);
    if (success) {
      if (data !== undefined) input[name] = isSecretSchema(schema) ? sealValue(data) : data;
    } else if (raw[name] === undefined)
      wrong.push(
        problem('asked/missing', `${what} needs ${quoted(name)}`, {
          hint: `set it with ${flag} ${name}=VALUE: ${describeSchema(schema)}`,
        }),
      );
    else
      for (const { message, hint, path } of error.issues.flatMap((issue) =>
        findingsOfIssue(issue, { name, schema, raw: raw[name] }),
      ))
        wrong.push(problem('asked/value', `${flag} ${path.join('.')}: ${message}`, { hint }));
  }
  if (wrong.length > 0) throw new Problems(wrong);
  return input;
}

const isSecretSchema = (schema: z.ZodType): boolean => traitsOf(schema).secret === true;
const sealValue = (value: unknown) => new Sealed(typeof value === 'string' ? value : JSON.stringify(value));
const describeSchema = (schema: z.ZodType): string => docOf(schema) ?? expectedHint(schema) ?? 'a value';

/** Puts one word into its place, read as the schema there wants it. */
function putInput(
  into: Input,
  [name = '', ...inner]: string[],
  text: string,
  members: FieldSchemas,
  { name: what, flag }: InputDescription,
): Diagnostic[] {
  const schema = Object.hasOwn(members, name) ? members[name]! : undefined;
  if (!schema) {
    const hint = hintFor(name, Object.keys(members), 'it takes');
    return [
      problem('asked/unknown', `${what} takes no ${quoted(name)}`, {
        hint: hint ?? 'it takes no input',
      }),
    ];
  }
  const { schemas } = schemaOptionsOf(schema);
  if (inner.length > 0) {
    const shapes = schemas
      .map((schema) => objectShapeOf(schema) ?? mapSchemasOf(schema, inner[0]!))
      .filter((one) => one !== undefined);
    if (shapes.length === 0)
      return [problem('asked/value', `${flag} ${name}.${inner.join('.')}: ${quoted(name)} has no members`)];
    into[name] ??= {};
    return putInput(into[name] as Input, inner, text, Object.assign({}, ...shapes), {
      name: `${what}: ${name}`,
      flag,
    });
  }
  const isList = schemas.some((schema) => typeOf(schema) === 'array') && !text.startsWith('[');
  if (isList) {
    const element = schemas.flatMap((schema) => elementSchemaOf(schema) ?? [])[0]!;
    const { value, loss } = readAs(text, element);
    if (loss !== undefined) return [problem('asked/value', `${flag} ${name}: ${loss}`)];
    into[name] = [...((into[name] as unknown[] | undefined) ?? []), value];
    return [];
  }
  if (Object.hasOwn(into, name))
    return [problem('asked/value', `${flag} ${name} is set twice`, { hint: 'it takes a single value' })];
  const { value, loss } = readAs(text, schema);
  if (loss !== undefined) return [problem('asked/value', `${flag} ${name}: ${loss}`)];
  into[name] = value;
  return [];
}

/** A map takes any name. */
function mapSchemasOf(schema: z.ZodType, name: string): FieldSchemas | undefined {
  const { valueType } = schema.def as unknown as { valueType?: z.ZodType };
  return valueType && { [name]: valueType };
}

const elementSchemaOf = (schema: z.ZodType): z.ZodType | undefined =>
  (schema.def as unknown as { element?: z.ZodType }).element;

/** A text as the value that a schema wants; as it is where it is none, for the schema to say so. `loss`: what reading it would lose. */
function readAs(text: string, schema: z.ZodType): { value: unknown; loss?: string } {
  const types = schemaOptionsOf(schema).schemas.map(typeOf);
  if (types.some((type) => type === 'number' || type === 'int') && /^-?\d+(\.\d+)?$/.test(text))
    return isExact(text, Number(text))
      ? { value: Number(text) }
      : { value: text, loss: 'this number has more digits than can be sent' };
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return { value: text === 'true' };
  const isDeep = types.some((type) =>
    ['object', 'record', 'array', 'any', 'unknown', 'custom'].includes(type),
  );
  return isDeep ? parseJsonOrText(text) : { value: text };
}
