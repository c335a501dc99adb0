import type * as z from 'zod';
import { valueAtPath } from '../../model/value.ts';
import { hintFor, meantBy, quoted } from '../suggest.ts';
import type { FieldPath, Finding } from './reading.ts';
import { allowedValues, expected, optionsOf, shapeOf } from './schema-options.ts';

type Issue = z.core.$ZodIssue;

/** The field that an issue is about: its name, its schema, and what zod was given. */
interface Subject {
  name: string;
  schema: z.ZodType;
  raw: unknown;
}

/** Turns what zod says about a field into findings with our words and hints. */
export function findingsOfIssue(issue: Issue, subject: Subject): Finding[] {
  const inner = issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step));
  const path = [subject.name, ...inner];
  const schema = schemaAt(subject.schema, inner);
  if (valueAtPath(subject.raw, inner) === undefined)
    return [
      { code: 'config/missing', message: `${quoted(String(path.at(-1)))} is missing`, path, onKey: true },
    ];
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({
      code: 'config/unknown-key',
      message: `unknown key ${quoted(key)}`,
      hint: hintFor(key, Object.keys(membersOf(schema))),
      path: [...path, key],
      onKey: true,
      known: membersOf(schema),
    }));
  const found = valueAtPath(subject.raw, inner);
  if (issue.code === 'invalid_type')
    return [
      {
        code: 'config/type',
        message: `this must be ${called(issue.expected)}`,
        hint: toWrite(issue.expected, found) ?? expected(schema),
        path,
      },
    ];
  if (issue.code === 'invalid_value') return [notAllowed(found, issue.values, path)];
  if (issue.code === 'invalid_union') return ofUnion(issue, schema, subject, path);
  if (issue.code === 'invalid_key' || issue.code === 'invalid_element')
    return [
      { code: 'config/value', message: 'this key is not allowed', hint: issue.issues[0]?.message, path },
    ];
  const others = schema ? allowedValues(schema) : [];
  const hint = others.length > 0 ? allowed(others) : undefined;
  return [{ code: 'config/value', message: lowerFirst(issue.message), hint, path }];
}

function ofUnion(
  issue: Extract<Issue, { code: 'invalid_union' }>,
  schema: z.ZodType | undefined,
  subject: Subject,
  path: FieldPath,
): Finding[] {
  const branches: Issue[][] = issue.errors.map((branch) =>
    branch.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] })),
  );
  // A branch that the value fits in general tells more than those of another type.
  const isRoot = (inner: Issue) =>
    inner.path.length === issue.path.length && inner.code !== 'unrecognized_keys' && inner.code !== 'custom';
  const deeper = branches.filter((branch) => !branch.some(isRoot)).sort((a, b) => a.length - b.length)[0];
  if (deeper) return deeper.flatMap((inner) => findingsOfIssue(inner, subject));
  const { options } = issue as { options?: unknown[] };
  const found = valueAtPath(subject.raw, path.slice(1));
  if (options) return [notAllowed(found, options, path)];
  if (issue.message !== 'Invalid input')
    return [{ code: 'config/value', message: `this must be ${issue.message}`, path }];
  const values = schema ? allowedValues(schema) : [];
  const all = branches.flat();
  const types = [
    ...new Set(all.flatMap((inner) => (inner.code === 'invalid_type' ? [called(inner.expected)] : []))),
  ];
  const others = all.filter(
    ({ code }) => code !== 'invalid_type' && code !== 'invalid_value' && code !== 'invalid_union',
  );
  const hints = [
    ...(values.length > 0 ? [allowed(values)] : []),
    ...(types.length > 0 ? [`it can be ${types.join(' or ')}`] : []),
    ...others.slice(0, 3).map((inner) => lowerFirst(inner.message)),
  ];
  return [
    ofOtherType(found, values, path) ?? {
      ...notAllowed(found, values, path),
      hint: hints.join('; ') || undefined,
    },
  ];
}

/** The schema at a path within a schema, as far as it can be told. */
function schemaAt(schema: z.ZodType, path: FieldPath): z.ZodType | undefined {
  let at: z.ZodType | undefined = schema;
  for (const step of path) {
    const options: z.ZodType[] = at ? optionsOf(at).schemas : [];
    at = options.map((option) => memberOf(option, step)).find((member) => member !== undefined);
  }
  return at;
}

function memberOf(option: z.ZodType, step: string | number): z.ZodType | undefined {
  const def = option.def as unknown as { element?: z.ZodType; valueType?: z.ZodType; items?: z.ZodType[] };
  const shape = shapeOf(option) ?? {};
  return Object.hasOwn(shape, step)
    ? shape[String(step)]
    : (def.element ?? def.items?.[Number(step)] ?? def.valueType);
}

const membersOf = (schema: z.ZodType | undefined): Record<string, z.ZodType> =>
  Object.assign({}, ...(schema ? optionsOf(schema).schemas.map((option) => shapeOf(option) ?? {}) : []));

const allowed = (values: readonly unknown[]) =>
  `allowed values: ${values.map((item) => quoted(String(item))).join(', ')}`;
const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

const names: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map',
  record: 'a map',
};
const called = (type: string) => names[type] ?? type;

/** An allowed value that only has another type than the one that was found: `308` as text in place of the number. */
function ofOtherType(found: unknown, values: readonly unknown[], path: FieldPath): Finding | undefined {
  const meant = values.find((value) => typeof value !== typeof found && String(value) === String(found));
  if (meant === undefined || (typeof found === 'object' && found !== null)) return undefined;
  const name = quoted(String(meant));
  const isText = typeof meant === 'string';
  return {
    code: 'config/type',
    message: `${name} must be ${called(typeof meant)} here, not ${called(typeof found)}`,
    hint: isText ? `put it in quotes: "${meant}"` : `write it without quotes: ${meant}`,
    path,
  };
}

/** A value that none of the allowed ones is. It may be a secret at the wrong place: only one that nearly is an allowed one is named. */
function notAllowed(value: unknown, values: readonly unknown[], path: FieldPath): Finding {
  const otherType = ofOtherType(value, values, path);
  if (otherType) return otherType;
  const names = values.map(String);
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  const meant = text === '' ? undefined : meantBy(text, names);
  const message =
    meant === undefined
      ? 'this value is not allowed here'
      : `${quoted(text)} is not allowed here; did you mean ${quoted(meant)}?`;
  return { code: 'config/value', message, hint: allowed(values), path };
}

/** Shows how to write a value of a type. The found value is repeated only if it cannot be a secret, such as a boolean. */
function toWrite(type: string, value: unknown): string | undefined {
  if (type === 'boolean') {
    const word = typeof value === 'string' ? value.toLowerCase() : '';
    const meant = ['true', 'yes', 'on'].includes(word)
      ? '`true`'
      : ['false', 'no', 'off'].includes(word)
        ? '`false`'
        : '`true` or `false`';
    return `write ${meant}, without quotes`;
  }
  if (type === 'number' || type === 'int') return 'write it as digits without quotes, such as `30`';
  if (type === 'string') return 'write text, such as `"22.x"`';
  return undefined;
}
