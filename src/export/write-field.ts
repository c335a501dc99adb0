import type * as z from 'zod';
import { escapeExpressions } from '../config/expressions/parse-expressions.ts';
import { isSameValue } from '../kind/compare.ts';
import { canDo } from '../kind/define-kind.ts';
import type { Kind } from '../kind/kind.ts';
import { type FieldTraits, referenceOf, traitsOf } from '../kind/traits.ts';
import { type Address, lastNameOf, unescapeName } from '../model/address.ts';
import { memoize } from '../model/graph.ts';
import { Sealed } from '../model/sealed.ts';
import {
  type Fields,
  holdsSecret,
  holesIn,
  isPlainObject,
  isRef,
  type Ref,
  type Value,
} from '../model/value.ts';
import {
  acceptsNull,
  findExpressiblePart,
  holdsSecretJson,
  isBlankValue,
  isOptional,
  toDeclarable,
} from './expressible.ts';
import { isOffOrEmpty, type YamlValue } from './print-yaml.ts';
import { secretExpression } from './secret-names.ts';

/** A field that is written into a block. */
interface FieldInBlock {
  value: YamlValue;
  /** The live value that this declares, without parts that cannot be declared. */
  declaredValue?: Value;
  /** The parts that are left out, with reasons. */
  comment?: string;
  /** True if the value is the platform's default; undefined if that is unknown. */
  isUsual?: boolean | undefined;
}

/** The written field; or the reason why it cannot be declared; or undefined, if nothing needs to be written. */
type WrittenField = FieldInBlock | { problem: string } | undefined;

/**
 * The destination of the values of variables:
 *   inline   the YAML, with expressions for secrets
 *   plain    the YAML, but secrets nowhere: an existing variable keeps its value
 *   omit     nowhere
 *   file     a file for secrets
 */
export type ValuesDestination = 'inline' | 'plain' | 'omit' | 'file';

/** The object of a field and the options of the export, as far as they decide how the field is written. */
interface FieldContext {
  /** Names the secrets of this object. */
  secrets: { nameFor(words: string[], value: Sealed | undefined): string };
  values: ValuesDestination;
  /** The names of the object and its parents, which the names of its secrets begin with. */
  words: string[];
  /** The default: the value that the platform sets if none is declared. */
  usual: Value | undefined;
  /** True if a usual value is written, too. */
  writesUsualValues: boolean;
  /** True if the field is secret in this object. */
  isSecret: boolean;
  /** True if an object cannot be declared itself. */
  isLeftOut(address: Address): boolean;
}

/**
 * Converts a field of a live object to its form in the YAML, for its block in an export. Secrets become
 * expressions such as `${secret.WEB_TOKEN}`, references become names. Returns undefined for a field that need not be
 * written: it has the default of the platform (`usual`) or is empty, or it counts only when an object is created.
 * Returns a problem if it cannot be declared, and a comment if only parts of it can.
 */
function writeField(
  name: string,
  schema: z.ZodType,
  value: Value | undefined,
  { secrets, values, words, usual, isSecret, isLeftOut, writesUsualValues }: FieldContext,
): WrittenField {
  const traits = traitsOf(schema);
  // An existing object does not need the first, and the platform never gets the second.
  if (traits.createOnly || traits.local) return undefined;
  // The value of a variable.
  if (traits.neededToCreate && staysInAccount(value, values, isSecret)) return undefined;
  // The name of a secret consists of the words of its object, such as `web`, and of its path in there.
  const nameSecret = (path: string[], sealed?: Sealed) =>
    secretExpression(secrets.nameFor([...words, ...path.filter((word) => word !== 'value')], sealed));
  // Without a value, only fields that a block needs get here (`selectFields`).
  if (value === undefined) {
    return isSecret
      ? { value: nameSecret([name]), comment: 'its value cannot be read back' }
      : { problem: `\`${name}\` is required, but the platform does not return it` };
  }
  const declared = toDeclarable(schema, value);
  if (declared === undefined) return undefined;
  if (holdsSecretJson(declared))
    return {
      problem: `\`${name}\` has a secret that is not a text, and a configuration has secrets only as texts`,
    };
  // Undefined if the default of the platform is unknown.
  const isUsual = isAsUsual(schema, declared, usual);
  if (isOptional(schema) && goesWithoutSaying(traits, declared, { isUsual, writesUsualValues }))
    return undefined;
  if (isSecret || declared instanceof Sealed)
    return { value: nameSecret([name], declared instanceof Sealed ? declared : undefined) };
  const brokenReference = findBrokenReference(declared, isLeftOut);
  if (brokenReference !== undefined)
    return { problem: `\`${name}\` is left out: it refers to ${brokenReference}` };
  if (referenceOf(schema) !== undefined && [declared].flat().every(isRef))
    return { value: referencedNames(declared) };
  const { part: written, problems } = findExpressiblePart(name, schema, declared, value);
  if (written === undefined) return { problem: problems.at(-1)! };
  return {
    value: toYamlValue(written, [name], nameSecret),
    declaredValue: written,
    isUsual,
    comment: problems.length > 0 ? problems.join('\n') : undefined,
  };
}

/**
 * True if an export need not write the value of an optional field: it is the default of the platform (`isUsual`), unless the field protects
 * something (`safeguard`) or the options ask for defaults (`writesUsualValues`). If the default is unknown (`isUsual` is undefined), true
 * for an empty value, unless that differs from an absent one (`emptyCounts`).
 */
function goesWithoutSaying(
  { safeguard, emptyCounts }: FieldTraits,
  declared: Value,
  { isUsual, writesUsualValues }: { isUsual: boolean | undefined; writesUsualValues: boolean },
): boolean {
  if (isUsual === undefined) return isBlankValue(declared) && !emptyCounts;
  return isUsual && !safeguard && !writesUsualValues;
}

/**
 * True if an export does not write the value of a variable, because an existing variable keeps its value. Depends on where values are
 * written (`--values`): with `omit`, none is written; with `plain`, none that is a secret or cannot be read; with a file, none that cannot
 * be read.
 */
function staysInAccount(value: Value | undefined, values: ValuesDestination, isSecret: boolean): boolean {
  if (values === 'omit') return true;
  if (values === 'plain') return value === undefined || isSecret || holdsSecret(value);
  return values === 'file' && value === undefined;
}

/**
 * Returns which object a field refers to although the export does not declare it, for the report: the object is left out, or does not exist
 * (its address begins with `#`). Undefined if there is none.
 */
function findBrokenReference(value: Value, isLeftOut: (address: Address) => boolean): string | undefined {
  const addresses = holesIn(value)
    .filter(isRef)
    .map(({ $ref }) => $ref);
  if (addresses.some((address) => address.startsWith('#'))) return 'something that does not exist';
  const leftOut = addresses.find(isLeftOut);
  return leftOut === undefined ? undefined : `${leftOut}, which is left out`;
}

/** Returns the values that a field has if it is not declared: the usual value of the kind, and the default of the schema. */
const usualValuesOf = (schema: z.ZodType, usual: Value | undefined): Value[] =>
  [usual, defaultOf(schema)].filter((value) => value !== undefined);

/** Returns the value that a schema has for an undeclared field; undefined if it has none. */
const defaultOf = memoize((schema: z.ZodType) => schema.safeParse(undefined).data as Value | undefined);

/**
 * True if an undeclared field would get this value from the platform; undefined if that is unknown. `trueup
 * export` does not write such a field.
 * @param usual the usual value by the kind, which the schema may not know
 */
function isAsUsual(schema: z.ZodType, value: Value, usual: Value | undefined): boolean | undefined {
  const usualValues = usualValuesOf(schema, usual);
  return usualValues.length === 0
    ? undefined
    : usualValues.some((usualValue) => isSameValue(usualValue, value, traitsOf(schema)));
}

/**
 * Returns the name of the object that a reference means, or the sorted names for a list. Used for fields whose schema says the kind. Ids
 * would differ in another account.
 */
export function referencedNames(value: Value): YamlValue {
  const names = [value].flat().map((ref) => lastNameOf((ref as Ref).$ref));
  return Array.isArray(value) ? names.sort() : names[0]!;
}

/**
 * Converts a live value to YAML that the configuration reads as the same value, for `trueup export`: texts are escaped, references become
 * expressions, and secrets become what `nameSecret` returns for them.
 * @param path the field and the members that lead to the value; secrets are named after them
 */
export function toYamlValue(
  value: Value,
  path: string[],
  nameSecret: (path: string[], sealed?: Sealed) => string,
): YamlValue {
  if (value instanceof Sealed) return nameSecret(path, value);
  if (isRef(value)) return referenceText(value);
  if (typeof value === 'string') return escapeExpressions(value);
  if (Array.isArray(value))
    return value.map((item, index) => toYamlValue(item, [...path, String(index)], nameSecret));
  if (!isPlainObject(value)) return value as YamlValue;
  return Object.fromEntries(
    Object.entries(value).map(([member, item]) => [
      escapeExpressions(member),
      toYamlValue(item as Value, [...path, member], nameSecret),
    ]),
  ) as YamlValue;
}

/** Formats a reference as an expression of the YAML: `${projects.web.segments["a.b"].id}`. */
function referenceText({ $ref, attr }: Ref): string {
  const [section, ...names] = $ref.split('/').map(unescapeName);
  return `\${${section}${names.map(formatReferenceStep).join('')}.${attr}}`;
}

/** Formats a name in an expression: `.web`, or in brackets and quotes if it has other characters. */
export const formatReferenceStep = (name: string): string => {
  if (/^[\w-]+$/.test(name)) return `.${name}`;
  return name.includes('"') ? `['${name}']` : `["${name}"]`;
};

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
export interface BlockFields {
  entries: [name: string, value: YamlValue][];
  comments: string[];
  /** True if a field has another value than the platform's default. */
  isTouched: boolean;
}

/**
 * Writes the fields of an object for its block in an export, with a comment for each part that cannot be declared. An object that is only
 * needed by others (not `isWanted`) gets no more than its key. Returns a problem if the object cannot be declared: a required field cannot
 * be written, or the rules of its kind reject the declared fields. Returns undefined for an object that always exists and lacks a required
 * value, because it is off. `parent`: the fields of the parent, for the rules.
 */
export function writeFields(
  kind: Kind,
  fields: Fields,
  parent: Fields,
  context: ObjectContext,
): BlockFields | { problem: string } | undefined {
  const { mapBy } = kind.yaml;
  const result: BlockFields = { entries: [], comments: [], isTouched: false };
  // The live values of the written fields, for the rules of the kind. The name of the block counts, although it is no field in it.
  const blockName = mapBy === undefined ? undefined : fields[mapBy];
  const declared: Fields = mapBy === undefined || blockName === undefined ? {} : { [mapBy]: blockName };
  for (const name of selectFields(kind, fields, context)) {
    const schema = kind.fields[name]!;
    const value = fields[name];
    const written = writeFieldOf(kind, name, fields, context);
    if (lacksRequiredValue(schema, value)) {
      // An object that always exists is off without a required value, and need not be declared.
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
    // If the default is unknown, an off or empty value counts as usual.
    const isUsual = written.isUsual ?? isOffOrEmpty(written.value);
    if (!kind.key.includes(name) && !isUsual) result.isTouched = true;
    result.entries.push([name, written.value]);
    if (value !== undefined) declared[name] = written.declaredValue ?? value;
  }
  const findings = context.isWanted ? (kind.rules.check?.(omitNull(declared), parent) ?? []) : [];
  const error = findings.find(({ severity }) => severity !== 'warning');
  return error ? { problem: error.message } : result;
}

/**
 * Returns the names of the fields that may be written into the block of an object: without its name (the key of the block), without
 * optional fields that are not set (unless a creation needs them), and without those that are exported as objects of their own. An object
 * that only others need has only the fields of its key.
 */
const selectFields = (kind: Kind, fields: Fields, { isWanted, isElsewhere }: ObjectContext): string[] =>
  Object.entries(kind.fields).flatMap(([name, schema]) => {
    const isNeeded = isWanted || kind.key.includes(name);
    if (name === kind.yaml.mapBy || !isNeeded || isElsewhere(name)) return [];
    const isUnset = fields[name] === undefined && isOptional(schema) && !traitsOf(schema).neededToCreate;
    return isUnset ? [] : [name];
  });

/**
 * Writes one field of an object, with the options that apply to this field: whether it is secret, and what is usual for its kind. In an
 * object with public values (`isPublic`, such as the variable `NEXT_PUBLIC_SITE_URL` in a Terraform state), even a secret field is written
 * in clear.
 */
function writeFieldOf(
  kind: Kind,
  name: string,
  fields: Fields,
  { isWanted: _, isElsewhere: __, isPublic, ...context }: ObjectContext,
): WrittenField {
  const schema = kind.fields[name]!;
  const value = fields[name];
  const { secret } = traitsOf(schema);
  const isSecretField = typeof secret === 'function' ? secret(fields) : secret === true;
  return writeField(name, schema, isPublic && value instanceof Sealed ? value.reveal() : value, {
    ...context,
    usual: kind.usual?.[name],
    isSecret: !isPublic && isSecretField,
  });
}

/** True for a required field without a value in the account. */
const lacksRequiredValue = (schema: z.ZodType, value: Value | undefined): boolean =>
  value == null && !isOptional(schema) && !acceptsNull(schema);

/** Returns the fields that have a value, as the rules of a kind expect them. */
const omitNull = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as Fields;
