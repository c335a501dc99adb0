import type * as z from 'zod';
import { guessMeantName } from '../../model/similar-name.ts';
import { valueAtPath } from '../../model/value.ts';
import { hintFor, quoted } from '../suggest.ts';
import type { FieldPath, FieldProblem } from './reading.ts';
import { allowedValues, expectedHint, objectShapeOf, schemaOptionsOf } from './schema-options.ts';

type Issue = z.core.$ZodIssue;

/** The field that zod checked: its name, its schema, and the value before the check (`raw`). */
interface Subject {
  name: string;
  schema: z.ZodType;
  raw: unknown;
}

/**
 * Converts an issue of zod, which checks blocks, inputs of actions and guards by schemas, to field problems. Types and allowed values get
 * our own wording and hints, because a message of zod may quote a value that is a secret. Other issues, such as a size or a format, keep
 * the message of their schema or, without one, of zod. `subject`: the field that was checked, with its schema and value.
 */
export function fieldProblemsOfIssue(issue: Issue, subject: Subject): FieldProblem[] {
  const inner = issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step));
  const path = [subject.name, ...inner];
  const schema = schemaAtPath(subject.schema, inner);
  const actual = valueAtPath(subject.raw, inner);
  // For zod, a missing value is a value of the wrong type.
  if (actual === undefined)
    return [
      { code: 'config/missing', message: `${quoted(String(path.at(-1)))} is missing`, path, onKey: true },
    ];
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => unknownKeyProblem(key, schema, path));
    case 'invalid_type': {
      const message = `this must be ${describeType(issue.expected)}`;
      const hint = writingHint(issue.expected, actual) ?? expectedHint(schema);
      return [{ code: 'config/type', message, hint, path }];
    }
    case 'invalid_value':
      return [invalidValueProblem(actual, issue.values, path)];
    case 'invalid_union':
      return fieldProblemsOfUnion(issue, schema, subject, path);
    case 'invalid_key':
    case 'invalid_element': {
      const hint = issue.issues[0]?.message;
      return [{ code: 'config/value', message: 'this key is not allowed', hint, path }];
    }
    default: {
      const validValues = schema ? allowedValues(schema) : [];
      const hint = validValues.length > 0 ? allowedValuesHint(validValues) : undefined;
      return [{ code: 'config/value', message: lowerFirst(issue.message), hint, path }];
    }
  }
}

/** Returns the field problem for a key that the value at `path` may not have. `schema`: that of the value. */
function unknownKeyProblem(key: string, schema: z.ZodType | undefined, path: FieldPath): FieldProblem {
  const validFields = allMemberSchemasOf(schema);
  const validKeys = Object.keys(validFields);
  return {
    code: 'config/unknown-key',
    message: `unknown key ${quoted(key)}`,
    hint: hintFor(key, validKeys),
    path: [...path, key],
    onKey: true,
    meantKey: guessMeantName(key, validKeys),
    validFields,
  };
}

/**
 * Returns the field problems for a value that no alternative of a union of schemas accepts, because zod
 * itself reports only "Invalid input". If an alternative is for values of this type, its problems explain the
 * mistake best: an invalid map is reported by the rules for maps. Otherwise the allowed values and types are
 * listed.
 */
function fieldProblemsOfUnion(
  issue: Extract<Issue, { code: 'invalid_union' }>,
  schema: z.ZodType | undefined,
  subject: Subject,
  path: FieldPath,
): FieldProblem[] {
  const branches: Issue[][] = issue.errors.map((branch) =>
    branch.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] })),
  );
  const bestBranch = findBestBranch(branches, issue.path.length);
  if (bestBranch) return bestBranch.flatMap((inner) => fieldProblemsOfIssue(inner, subject));
  const actual = valueAtPath(subject.raw, path.slice(1));
  // The alternatives are distinguished by a member, such as `type`, and the value is none of those that it can have (`options`).
  const { options } = issue as { options?: unknown[] };
  if (options) return [invalidValueProblem(actual, options, path)];
  // The schema of the kind has a message of its own.
  if (issue.message !== 'Invalid input')
    return [{ code: 'config/value', message: `this must be ${issue.message}`, path }];
  const values = schema ? allowedValues(schema) : [];
  const mismatch = findTypeMismatch(actual, values, path);
  if (mismatch) return [mismatch];
  return [{ ...invalidValueProblem(actual, values, path), hint: unionHint(branches.flat(), values) }];
}

/**
 * Returns the issues of the alternative that explains best why a value fits no alternative of a union: of those for values of its type, the
 * one with the fewest issues. Undefined if all alternatives are for other types. `depth`: the length of the path to the value.
 */
function findBestBranch(branches: Issue[][], depth: number): Issue[] | undefined {
  // An alternative for another type rejects the value as a whole. The right type can also have an issue with the whole value: an unknown
  // key, or a check of the kind (`custom`).
  const rejectsType = ({ path, code }: Issue) =>
    path.length === depth && code !== 'unrecognized_keys' && code !== 'custom';
  const branchesOfType = branches.filter((branch) => !branch.some(rejectsType));
  const [bestBranch] = branchesOfType.sort((a, b) => a.length - b.length);
  return bestBranch;
}

/**
 * Returns a hint that lists everything that a union of schemas allows: values, types, and the first three
 * other rules. Used if a value fits no alternative, and no alternative explains the mistake. `issues`: what
 * zod reported for all alternatives. `values`: the allowed values. Undefined if nothing is known.
 */
function unionHint(issues: Issue[], values: readonly unknown[]): string | undefined {
  const types = new Set(
    issues.flatMap((inner) => (inner.code === 'invalid_type' ? [describeType(inner.expected)] : [])),
  );
  const otherIssues = issues.filter(
    ({ code }) => code !== 'invalid_type' && code !== 'invalid_value' && code !== 'invalid_union',
  );
  const hints = [
    ...(values.length > 0 ? [allowedValuesHint(values)] : []),
    ...(types.size > 0 ? [`it can be ${[...types].join(' or ')}`] : []),
    ...otherIssues.slice(0, 3).map((inner) => lowerFirst(inner.message)),
  ];
  return hints.join('; ') || undefined;
}

/**
 * Returns the schema of a part of a field, such as `resourceConfig.fluid`, for the message about a wrong
 * value there: its hint lists what this schema allows. Returns undefined if there is no such part.
 */
function schemaAtPath(schema: z.ZodType, path: FieldPath): z.ZodType | undefined {
  let current: z.ZodType | undefined = schema;
  for (const step of path) {
    const options: z.ZodType[] = current ? schemaOptionsOf(current).schemas : [];
    current = options.map((option) => memberSchemaOf(option, step)).find((member) => member !== undefined);
  }
  return current;
}

/**
 * Returns the schema of a key or an index (`step`) inside one alternative of a schema; undefined if it has no
 * such member. Used to find the schema of a wrong value deep inside a field, for the message that lists the
 * allowed values.
 */
function memberSchemaOf(option: z.ZodType, step: string | number): z.ZodType | undefined {
  const def = option.def as unknown as { element?: z.ZodType; valueType?: z.ZodType; items?: z.ZodType[] };
  const shape = objectShapeOf(option) ?? {};
  if (Object.hasOwn(shape, step)) return shape[String(step)];
  const itemOfTuple = def.items?.[Number(step)];
  // `element`: of a list. `valueType`: of a record.
  return def.element ?? itemOfTuple ?? def.valueType;
}

/**
 * Returns the schemas of all members that any alternative of a schema has, by name. Used to suggest a valid
 * key for an unknown one.
 */
const allMemberSchemasOf = (schema: z.ZodType | undefined): Record<string, z.ZodType> =>
  Object.assign(
    {},
    ...(schema ? schemaOptionsOf(schema).schemas.map((option) => objectShapeOf(option) ?? {}) : []),
  );

/** Returns the hint of the message about a field with a wrong value that lists the allowed values. */
const allowedValuesHint = (values: readonly unknown[]) =>
  `allowed values: ${values.map((item) => quoted(String(item))).join(', ')}`;
const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

const expectedTypeNames: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map',
  record: 'a map',
};
/** Returns the name of a schema's type for messages about a value of another type: `a whole number` for `int`. */
const describeType = (type: string) => expectedTypeNames[type] ?? type;

/**
 * Returns the field problem for a value that would be allowed as another type, such as `"308"` instead of the number 308.
 * Returns undefined for other values. The message says how to write it, which helps more than a list of allowed values.
 */
function findTypeMismatch(
  actual: unknown,
  values: readonly unknown[],
  path: FieldPath,
): FieldProblem | undefined {
  const isCollection = typeof actual === 'object' && actual !== null;
  if (isCollection) return undefined;
  const intended = values.find((value) => typeof value !== typeof actual && String(value) === String(actual));
  if (intended === undefined) return undefined;
  const name = quoted(String(intended));
  const isText = typeof intended === 'string';
  return {
    code: 'config/type',
    message: `${name} must be ${describeType(typeof intended)} here, not ${describeType(typeof actual)}`,
    hint: isText ? `put it in quotes: "${intended}"` : `write it without quotes: ${intended}`,
    path,
  };
}

/**
 * Returns the field problem for a field whose value is not among the allowed `values`. The
 * value may be a secret at the wrong place, so the message quotes it only if it resembles an allowed one.
 */
function invalidValueProblem(value: unknown, values: readonly unknown[], path: FieldPath): FieldProblem {
  const otherType = findTypeMismatch(value, values, path);
  if (otherType) return otherType;
  const names = values.map(String);
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  const intended = text === '' ? undefined : guessMeantName(text, names);
  const message =
    intended === undefined
      ? 'this value is not allowed here'
      : `${quoted(text)} is not allowed here; did you mean ${quoted(intended)}?`;
  return { code: 'config/value', message, hint: allowedValuesHint(values), path };
}

/**
 * Returns how to write a value of the expected type in YAML, for the message about a value of another type.
 * Undefined for types that need no explanation. The actual value is never repeated, since it may be a secret.
 */
function writingHint(type: string, value: unknown): string | undefined {
  if (type === 'boolean') {
    const word = typeof value === 'string' ? value.toLowerCase() : '';
    if (['true', 'yes', 'on'].includes(word)) return 'write `true`, without quotes';
    if (['false', 'no', 'off'].includes(word)) return 'write `false`, without quotes';
    return 'write `true` or `false`, without quotes';
  }
  if (type === 'number' || type === 'int') return 'write it as digits without quotes, such as `30`';
  if (type === 'string') return 'write text, such as `"22.x"`';
  return undefined;
}
