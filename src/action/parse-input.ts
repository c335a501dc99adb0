import type * as z from 'zod';
import { fieldProblemsOfIssue } from '../config/fields/field-problems-of-issue.ts';
import { expectedHint, objectShapeOf, schemaOptionsOf, typeOf } from '../config/fields/schema-options.ts';
import { hintFor, quoted } from '../config/suggest.ts';
import type { FieldSchemas } from '../kind/kind.ts';
import type { Input } from '../kind/lookup.ts';
import { docOf, traitsOf } from '../kind/traits.ts';
import { type Diagnostic, problem, Reporter, raiseErrors } from '../model/diagnostic.ts';
import { isExact, parseJsonOrText } from '../model/read-json.ts';
import { Sealed } from '../model/sealed.ts';

/** The action or lookup whose input is parsed, for messages. */
interface InputDescription {
  /** Its name: `redeploy`. */
  name: string;
  /** The option in front of a word: `--input`. */
  flag: string;
}

/**
 * Parses `name=value` words by schemas: those of `trueup run --input`, or of `--where` of `trueup get`. A
 * list is given by several words with one name, or as JSON; dots lead into objects. Secret values are sealed.
 * Throws `Problems` with all words that do not fit, or else with all names that are missing and all wrong values.
 */
export function parseInput(
  words: readonly (readonly [string, string])[],
  schemas: FieldSchemas,
  description: InputDescription,
): Input {
  const input: Input = {};
  const problems = words.flatMap(
    ([path, text]) => addWord(input, path.split('.'), text, schemas, description) ?? [],
  );
  raiseErrors(problems);
  return checkInput(input, schemas, description);
}

/**
 * Checks input values by their schemas and seals secret ones, before an action of `trueup run` or a lookup of
 * `trueup get` is sent. `parseInput` calls it for words of the command line; values of a configuration are
 * checked directly. `name` and `flag`: how messages call the action and its option. Throws `Problems` with
 * all names that are missing and all wrong values.
 */
export function checkInput(
  raw: Input,
  schemas: FieldSchemas,
  { name: owner, flag }: InputDescription,
): Input {
  const input: Input = {};
  const report = new Reporter();
  for (const [name, schema] of Object.entries(schemas)) {
    const { success, data, error } = schema.safeParse(raw[name]);
    if (success) {
      if (data !== undefined) input[name] = isSecretSchema(schema) ? sealInputValue(data) : data;
    } else if (raw[name] === undefined)
      report.error('asked/missing', `${owner} needs ${quoted(name)}`, {
        hint: `set it with ${flag} ${name}=VALUE: ${describeSchema(schema)}`,
      });
    else {
      const value = { name, schema, raw: raw[name] };
      const problems = error.issues.flatMap((issue) => fieldProblemsOfIssue(issue, value));
      for (const { message, hint, path } of problems)
        report.error('asked/value', `${flag} ${path.join('.')}: ${message}`, { hint });
    }
  }
  raiseErrors(report.diagnostics);
  return input;
}

const isSecretSchema = (schema: z.ZodType): boolean => traitsOf(schema).secret === true;
const sealInputValue = (value: unknown) =>
  new Sealed(typeof value === 'string' ? value : JSON.stringify(value));
const describeSchema = (schema: z.ZodType): string => docOf(schema) ?? expectedHint(schema) ?? 'a value';

/**
 * Adds the value of one `name=value` word of a command to `input`, parsed by the schema of its name. A name
 * with dots (`source.branch=main`) sets a member, one call per name. A word for a list adds an item. Returns
 * the problem if the name is unknown or has no members, the value is set twice, or parsing would lose digits.
 * @param input the object that gets the value; changed in place
 */
function addWord(
  input: Input,
  [name = '', ...innerPath]: string[],
  text: string,
  members: FieldSchemas,
  { name: owner, flag }: InputDescription,
): Diagnostic | undefined {
  const schema = Object.hasOwn(members, name) ? members[name]! : undefined;
  if (!schema) {
    const hint = hintFor(name, Object.keys(members), 'it takes') ?? 'it takes no input';
    return problem('asked/unknown', `${owner} takes no ${quoted(name)}`, { hint });
  }
  if (innerPath.length > 0)
    return addMemberWord(input, [name, ...innerPath], text, schema, { name: owner, flag });
  const { schemas } = schemaOptionsOf(schema);
  // A list can also be written as JSON in one word: `tags=["a","b"]`.
  const isList = schemas.some((schema) => typeOf(schema) === 'array') && !text.startsWith('[');
  if (!isList && Object.hasOwn(input, name))
    return problem('asked/value', `${flag} ${name} is set twice`, { hint: 'it takes a single value' });
  // One of the schemas is that of a list if `isList` is true.
  const itemSchema = schemas.flatMap((schema) => elementSchemaOf(schema) ?? [])[0]!;
  const { value, loss } = parseText(text, isList ? itemSchema : schema);
  if (loss !== undefined) return problem('asked/value', `${flag} ${name}: ${loss}`);
  const earlierItems = (input[name] as unknown[] | undefined) ?? [];
  input[name] = isList ? [...earlierItems, value] : value;
  return undefined;
}

/**
 * Adds the value of a word with dots, such as `source.branch=main`, to the object `source` of `input`. The object is
 * created if it is missing. Returns the problem if `source` cannot have members, by its schema or because it has
 * another value already, or if its member does not take the value.
 * @param input the object that gets the value; changed in place
 */
function addMemberWord(
  input: Input,
  [name = '', ...innerPath]: string[],
  text: string,
  schema: z.ZodType,
  { name: owner, flag }: InputDescription,
): Diagnostic | undefined {
  const refuse = (reason: string) =>
    problem('asked/value', `${flag} ${name}.${innerPath.join('.')}: ${quoted(name)} ${reason}`);
  const shapes = schemaOptionsOf(schema)
    .schemas.map((option) => objectShapeOf(option) ?? mapSchemasOf(option, innerPath[0]!))
    .filter((shape) => shape !== undefined);
  if (shapes.length === 0) return refuse('has no members');
  input[name] ??= {};
  if (typeof input[name] !== 'object' || Array.isArray(input[name])) return refuse('is set to another value');
  // A value that can have several forms takes the members of all of them.
  const members: FieldSchemas = Object.assign({}, ...shapes);
  return addWord(input[name] as Input, innerPath, text, members, { name: `${owner}: ${name}`, flag });
}

/** Returns the schema of a map's values under a name, since a map takes any name; undefined for another schema. */
function mapSchemasOf(schema: z.ZodType, name: string): FieldSchemas | undefined {
  const { valueType } = schema.def as unknown as { valueType?: z.ZodType };
  return valueType && { [name]: valueType };
}

/** Returns the schema of a list's items; undefined for another schema. */
const elementSchemaOf = (schema: z.ZodType): z.ZodType | undefined =>
  (schema.def as unknown as { element?: z.ZodType }).element;

/**
 * Parses the value of a `name=value` word of `trueup run` or `get` as a number, a boolean or JSON if the
 * schema accepts that. Returns the text itself otherwise, so that the schema reports the problem. `loss` is
 * set if the number has more digits than can be sent.
 */
function parseText(text: string, schema: z.ZodType): { value: unknown; loss?: string } {
  const types = schemaOptionsOf(schema).schemas.map(typeOf);
  if (types.some((type) => type === 'number' || type === 'int') && /^-?\d+(\.\d+)?$/.test(text))
    return isExact(text, Number(text))
      ? { value: Number(text) }
      : { value: text, loss: 'this number has more digits than can be sent' };
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return { value: text === 'true' };
  const isStructured = types.some((type) =>
    ['object', 'record', 'array', 'any', 'unknown', 'custom'].includes(type),
  );
  return isStructured ? parseJsonOrText(text) : { value: text };
}
