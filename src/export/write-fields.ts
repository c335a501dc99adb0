import type * as z from 'zod';
import { canDo } from '../kind/define-kind.ts';
import type { Kind } from '../kind/kind.ts';
import { traitsOf } from '../kind/traits.ts';
import { Sealed } from '../model/sealed.ts';
import type { Fields, Value } from '../model/value.ts';
import { isOptional } from './expressible.ts';
import { isOffOrEmpty, type YamlValue } from './print-yaml.ts';
import { type FieldContext, writeField } from './write-field.ts';

interface WrittenFieldContext extends Omit<FieldContext, 'usual' | 'isSecret'> {
  /** False for an object that only others need: it is known by its key. */
  isWanted: boolean;
  /** True for a field whose items are objects of their own here. */
  isElsewhere(name: string): boolean;
  /** True for an object whose values are no secrets. */
  isPublic: boolean;
}

/** The fields of one object as its block says them. */
interface OwnFields {
  entries: [name: string, value: YamlValue][];
  comments: string[];
  /** Something is set that the platform does not set by itself. */
  isTouched: boolean;
}

/** Writes the fields of an object, or says why it cannot be declared; undefined if nothing of what always exists is set. */
export function writeFields(
  kind: Kind,
  fields: Fields,
  parent: Fields,
  { isWanted, isElsewhere, isPublic, ...around }: WrittenFieldContext,
): OwnFields | { problem: string } | undefined {
  const ownFields: OwnFields = { entries: [], comments: [], isTouched: false };
  const declared: Fields = {};
  const { mapBy } = kind.yaml;
  for (const [name, schema] of Object.entries(kind.fields)) {
    if (name === mapBy && fields[name] !== undefined) declared[name] = fields[name];
    if (name === mapBy || (!isWanted && !kind.key.includes(name)) || isElsewhere(name)) continue;
    const { secret } = traitsOf(schema);
    const value = fields[name];
    const written = writeField(name, schema, isPublic && value instanceof Sealed ? value.reveal() : value, {
      ...around,
      usual: kind.usual?.[name],
      isSecret: !isPublic && (typeof secret === 'function' ? secret(fields) : secret === true),
    });
    // Of what always exists nothing is set.
    if (isLacking(schema, fields[name]) && !canDo(kind, 'create')) return undefined;
    if (isLacking(schema, fields[name]) && written === undefined)
      return { problem: `\`${name}\` is required, but nothing is set` };
    if (written === undefined) continue;
    if ('problem' in written) {
      if (!isOptional(schema)) return written;
      ownFields.comments.push(written.problem);
      continue;
    }
    if (written.comment) ownFields.comments.push(written.comment);
    if (!kind.key.includes(name) && !(written.isUsual ?? isOffOrEmpty(written.value)))
      ownFields.isTouched = true;
    ownFields.entries.push([name, written.value]);
    if (fields[name] !== undefined) declared[name] = written.says ?? fields[name];
  }
  const findings = isWanted ? (kind.rules.check?.(valuesOf(declared), parent) ?? []) : [];
  const wrong = findings.find(({ severity }) => severity !== 'warning');
  return wrong ? { problem: wrong.message } : ownFields;
}

/** True for a required field that the account shows nothing of. */
const isLacking = (schema: z.ZodType, value: Value | undefined): boolean =>
  value == null && !isOptional(schema) && !schema.safeParse(null).success;

/** Fields as a check sees them. */
const valuesOf = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as Fields;
