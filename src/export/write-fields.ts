import type * as z from 'zod';
import { canDo } from '../kind/define-kind.ts';
import type { Kind } from '../kind/kind.ts';
import { traitsOf } from '../kind/traits.ts';
import { Sealed } from '../model/sealed.ts';
import type { Fields, Value } from '../model/value.ts';
import { isOptional } from './expressible.ts';
import { isOffOrEmpty, type YamlValue } from './print-yaml.ts';
import { type FieldContext, writeField } from './write-field.ts';

/** The object whose fields are written, and the options of the export. */
interface ObjectContext extends Omit<FieldContext, 'usual' | 'isSecret'> {
  /** False for an object that only others need. It is declared with `$existing` and its key alone. */
  isWanted: boolean;
  /** True for a list field that is not written, because the export has its items as objects. */
  isElsewhere(name: string): boolean;
  /** True if the values of the object are written in clear, because they are not secret. */
  isPublic: boolean;
}

/** The fields of an object in its block. */
interface BlockFields {
  entries: [name: string, value: YamlValue][];
  comments: string[];
  /** True if a field has another value than the platform's default. */
  isTouched: boolean;
}

/**
 * Writes the fields of an object for its block in an export. Returns a problem if the object cannot be declared, for example because a required
 * field cannot be written. Returns undefined for an object that always exists and without any field set.
 * @param parent the fields of the parent, for the rules of the kind
 */
export function writeFields(
  kind: Kind,
  fields: Fields,
  parent: Fields,
  { isWanted, isElsewhere, isPublic, ...context }: ObjectContext,
): BlockFields | { problem: string } | undefined {
  const result: BlockFields = { entries: [], comments: [], isTouched: false };
  const declared: Fields = {};
  const { mapBy } = kind.yaml;
  for (const [name, schema] of Object.entries(kind.fields)) {
    if (name === mapBy && fields[name] !== undefined) declared[name] = fields[name];
    if (name === mapBy || (!isWanted && !kind.key.includes(name)) || isElsewhere(name)) continue;
    const { secret } = traitsOf(schema);
    const value = fields[name];
    const written = writeField(name, schema, isPublic && value instanceof Sealed ? value.reveal() : value, {
      ...context,
      usual: kind.usual?.[name],
      isSecret: !isPublic && (typeof secret === 'function' ? secret(fields) : secret === true),
    });
    if (isMissing(schema, value)) {
      const alwaysExists = !canDo(kind, 'create');
      if (alwaysExists) return undefined;
      if (written === undefined) return { problem: `\`${name}\` is required, but nothing is set` };
    }
    if (written === undefined) continue;
    if ('problem' in written) {
      if (!isOptional(schema)) return written;
      result.comments.push(written.problem);
      continue;
    }
    if (written.comment) result.comments.push(written.comment);
    if (!kind.key.includes(name) && !(written.isUsual ?? isOffOrEmpty(written.value)))
      result.isTouched = true;
    result.entries.push([name, written.value]);
    if (value !== undefined) declared[name] = written.declaredValue ?? value;
  }
  const findings = isWanted ? (kind.rules.check?.(omitNull(declared), parent) ?? []) : [];
  const error = findings.find(({ severity }) => severity !== 'warning');
  return error ? { problem: error.message } : result;
}

/** True for a required field without a value in the account. */
const isMissing = (schema: z.ZodType, value: Value | undefined): boolean =>
  value == null && !isOptional(schema) && !schema.safeParse(null).success;

/** Returns the fields that have a value, as the rules of a kind expect them. */
const omitNull = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as Fields;
