import type * as z from 'zod';
import { secrecyOf } from '../../kind/disclosure.ts';
import type { Kind } from '../../kind/kind.ts';
import { type FieldTraits, traitsOf } from '../../kind/traits.ts';
import { appendAll, memoize } from '../../model/graph.ts';
import type { Secrecy } from '../../model/resource.ts';
import { type Fields, isPlainObject, sealAt, type Value } from '../../model/value.ts';
import { dropUndefined, mapMembers, mapTree, visitMembers } from '../../model/walk.ts';
import {
  type Entry,
  isFromConfiguration,
  itemsOf,
  mapNode,
  maskNode,
  memberOf,
  type Node,
  nowhere,
} from '../yaml/nodes.ts';
import { fieldProblemsOfIssue } from './field-problems-of-issue.ts';
import { readValue } from './read-value.ts';
import {
  type CopyOfField,
  createReading,
  type FieldPath,
  type FieldProblem,
  type FieldReading,
  isAtHole,
  pendingValue,
  type Resolver,
  restoreHoles,
} from './reading.ts';
import { maskUnknown } from './schema-options.ts';

/** A copied value with the secrecy of the field that takes it. */
export type CopiedValue = CopyOfField & { secrecy: Secrecy };

/** The fields of a block after reading. */
interface ReadFields {
  /** The fields in normal form, with holes and sealed secrets. Invalid fields are missing. */
  fields: Fields;
  fieldProblems: FieldProblem[];
  /** The values that were taken from secret or live fields of other resources. */
  copies: CopiedValue[];
  /**
   * True if a value could not be determined and the problem was reported. The fields are then only good for messages.
   */
  hasReportedProblem: boolean;
}

/**
 * Reads the fields of one block: returns them checked, in normal form and with secrets sealed, and the
 * field problems. With `isPartial`, only key fields are required (`$existing`). Secrets are
 * also masked in the file, even if the block is invalid, because messages quote the file. `parentFields`: the
 * fields of the block around it, which rules of the kind may need. `resolver`: finds the values of
 * references.
 */
export function readFields(
  kind: Kind,
  entries: Entry[],
  isPartial: boolean,
  parentFields: Fields,
  resolver: Resolver,
): ReadFields {
  const reading = createReading(resolver);
  const raw: Fields = {};
  for (const { key, value } of entries)
    raw[key.text] = readValue(kind.fields[key.text]!, value, [key.text], reading) as Value;
  const { fields, fieldProblems: schemaProblems } = checkFields(kind, raw, isPartial, reading);
  for (const fieldProblem of schemaProblems)
    if (fieldProblem.code === 'config/unknown-key') maskUnknownKey(entries, fieldProblem);
  const secretPaths = sealSecretValues(raw, fields, reading);
  const fieldProblems = [...reading.fieldProblems, ...schemaProblems].map((fieldProblem) =>
    quotesSecret(fieldProblem, { kind, raw, secretPaths, reading })
      ? { ...fieldProblem, message: 'this secret value is not valid here', hint: undefined }
      : fieldProblem,
  );
  const isComplete = !isPartial && !reading.hasReportedProblem;
  // The rules of a kind compare fields with each other, so they need all of them, without errors.
  if (kind.rules.check && isComplete && fieldProblems.every(({ severity }) => severity === 'warning'))
    fieldProblems.push(
      ...kind.rules
        .check(fields, parentFields)
        .map((fieldProblem) => ({ code: 'config/check', ...fieldProblem })),
    );
  const copies = reading.copies.map((copy) => ({ ...copy, secrecy: secrecyOfTarget(copy, kind, fields) }));
  return { fields, fieldProblems, copies, hasReportedProblem: reading.hasReportedProblem };
}

/**
 * Checks each field of a block by its schema. Returns the valid fields in normal form, with defaults for
 * those that are not written, and field problems for invalid and missing ones. `raw`: the values as they
 * were read from the YAML. `isPartial`: only key fields are required, because the block has `$existing`.
 */
function checkFields(
  kind: Kind,
  raw: Fields,
  isPartial: boolean,
  reading: FieldReading,
): { fields: Fields; fieldProblems: FieldProblem[] } {
  const fields: Fields = {};
  const fieldProblems: FieldProblem[] = [];
  for (const { name, schema, ifMissing } of schemasOf(kind)) {
    if (Object.hasOwn(raw, name)) {
      const checked = checkField(name, schema, raw[name], reading);
      if ('value' in checked) fields[name] = checked.value as Value;
      else appendAll(fieldProblems, checked.fieldProblems);
    } else {
      if (ifMissing.success && ifMissing.data !== undefined) fields[name] = ifMissing.data as Value;
      const isRequired = !ifMissing.success && (!isPartial || kind.key.includes(name));
      if (isRequired)
        fieldProblems.push({
          code: 'config/missing',
          message: `\`${name}\` is missing`,
          path: [name],
          onKey: true,
        });
    }
  }
  return { fields, fieldProblems };
}

/**
 * Masks the secrets of a block in the quoted lines of its file, and seals them in `fields` (a sealed value
 * cannot be printed), so that no plan or message can show them by accident. Returns the paths of the secret
 * fields. Whether a field is secret can depend on other fields, so this runs after all fields were checked;
 * for an invalid one, its unchecked value in `raw` counts.
 */
function sealSecretValues(raw: Fields, fields: Fields, reading: FieldReading): FieldPath[] {
  if (reading.secrets.length === 0) return [];
  // Checked values where there are some, else unchecked ones.
  const bestFields = { ...(restoreHoles(raw, reading)?.value as Fields), ...fields };
  const secrets = reading.secrets.filter(({ node, traits }) => isSecretHere(node, traits, bestFields));
  for (const { path, node } of secrets) {
    maskNode(node);
    const [name, ...innerPath] = path;
    if (name !== undefined && Object.hasOwn(fields, name))
      fields[name] = sealAt(fields[name]!, innerPath, {
        // Numbers, booleans and empty texts are sealed as well, because every value of a secret field is secret.
        literals: true,
        // Recognized by identity, so it must stay itself until the second reading.
        except: (value) => value === pendingValue,
      });
  }
  return secrets.map(({ path }) => path);
}

/**
 * True if the message of a field problem may contain a secret value, so that the caller
 * replaces the message. Messages of our own never do; those of a kind's schema may. It is safe if a value of
 * illegible characters of the same length leads to the same message. `raw`: all values of the block;
 * `secretPaths`: those that are secret.
 */
function quotesSecret(
  { code, path, message, hint }: FieldProblem,
  { kind, raw, secretPaths, reading }: FieldProblemContext,
): boolean {
  const isAboutSecret = secretPaths.some(
    (secretPath) => isFieldBelow(path, secretPath) || isFieldBelow(secretPath, path),
  );
  // Only problems of this code have messages of a kind's schema.
  if (code !== 'config/value' || !isAboutSecret) return false;
  const name = path[0]!;
  const illegibleFields = maskPaths(raw, secretPaths) as Fields;
  const checked = checkField(String(name), kind.fields[name]!, illegibleFields[name], reading);
  const isSameWithoutSecret =
    'fieldProblems' in checked &&
    checked.fieldProblems.some(
      (fieldProblem) => fieldProblem.message === message && fieldProblem.hint === hint,
    );
  return !isSameWithoutSecret;
}

/** The fields before the check (`raw`) and the paths of secrets among them. */
interface FieldProblemContext {
  kind: Kind;
  raw: Fields;
  secretPaths: FieldPath[];
  reading: FieldReading;
}

/**
 * Returns how secret the field is that takes a copied value (open, readable or write-only): by the traits of the field
 * and of the part of it that takes the value. A secret must not be copied to a less secret field.
 */
function secrecyOfTarget({ path: [name], traits }: CopyOfField, kind: Kind, fields: Fields): Secrecy {
  const { writeOnly, createOnly } = traitsOf(kind.fields[name!]!);
  return secrecyOf(dropUndefined({ writeOnly, createOnly, ...traits }), fields);
}

/**
 * Returns the fields of a kind with their schemas. `ifMissing`: the result of checking a missing field: its default, or an error if the
 * field is required. Cached, since every block of the kind needs them.
 */
const schemasOf = memoize((kind: Kind) =>
  Object.entries(kind.fields).map(([name, schema]) => ({
    name,
    schema,
    ifMissing: schema.safeParse(undefined),
  })),
);

/**
 * Checks the value of a field of a block, or of an input of an action, by its schema. Returns the value as the schema converts it, or the
 * field problems; none of these if all were reported when the value was read. `raw`: the value as it was read from the YAML. A value that
 * is known later (a hole) is replaced by a text in it: the result has the hole again, and if the schema rejects the text, that is no
 * problem.
 */
export function checkField(
  name: string,
  schema: z.ZodType,
  raw: unknown,
  reading: FieldReading,
): { value: unknown } | { fieldProblems: FieldProblem[] } {
  const result = schema.safeParse(raw);
  // If the schema changed the text of a hole, so that it cannot be recognized, the value is taken as it was read.
  if (result.success) return restoreHoles(result.data, reading) ?? restoreHoles(raw, reading)!;
  const subject = { name, schema, raw };
  const reportedBefore = reading.fieldProblems.filter(
    ({ severity, path }) => severity !== 'warning' && path[0] === name,
  );
  const fieldProblems = dropMissingIfMisspelled(
    result.error.issues
      .flatMap((issue) => fieldProblemsOfIssue(issue, subject))
      .filter(
        (fieldProblem) =>
          !isAboutHole(fieldProblem, reading) &&
          !reportedBefore.some(({ path }) => isFieldBelow(fieldProblem.path, path)),
      ),
  );
  if (fieldProblems.length > 0 || reportedBefore.length > 0) return { fieldProblems };
  // Zod rejected only texts that represent holes. Their real values are known later, and the platform checks them. `raw` has these texts
  // as they were placed, so its holes can always be restored.
  return restoreHoles(raw, reading)!;
}

/**
 * True if a problem is only about the text that stands for a value which is known later (a hole), so that it is none. An unknown key stays
 * one with any value.
 */
const isAboutHole = ({ code, path }: FieldProblem, reading: FieldReading): boolean =>
  code !== 'config/unknown-key' && isAtHole(path, reading);

/** Returns the problems without those about a missing key that is there, but misspelled: the problem about the unknown key says so. */
function dropMissingIfMisspelled(fieldProblems: FieldProblem[]): FieldProblem[] {
  const meantPaths = fieldProblems.flatMap(({ path, meantKey }) =>
    meantKey === undefined ? [] : [[...path.slice(0, -1), meantKey]],
  );
  return fieldProblems.filter(
    ({ code, path }) =>
      code !== 'config/missing' || !meantPaths.some((meantPath) => isFieldBelow(path, meantPath)),
  );
}

/** True if a path is `ancestor` or inside it. */
export const isFieldBelow = (path: readonly PropertyKey[], ancestor: readonly PropertyKey[]): boolean =>
  ancestor.every((step, i) => step === path[i]);

/**
 * True if the value of a field must be sealed: the field is secret, always or with these values of other
 * `fields`. Some fields allow a value in clear (`inClear`): then a text that stands in the configuration
 * itself is not sealed, because everyone can read it there anyway. If these rules fail because of invalid
 * fields, the value counts as secret.
 */
function isSecretHere(
  node: Node,
  { secret, inClear }: Pick<FieldTraits, 'secret' | 'inClear'>,
  fields: Fields,
): boolean {
  try {
    const isSecret = typeof secret === 'function' ? secret(fields) : secret === true;
    if (!isSecret) return false;
    const isReadableAnyway = inClear?.(fields) === true && isFromConfiguration(node);
    return !isReadableAnyway;
  } catch {
    return true;
  }
}

/**
 * Masks the value of an unknown key in the lines of YAML that messages quote, unless the key resembles a
 * field that is never secret: it may be a misspelled secret field. `entries`: the block as it is written; the
 * field problem has the path of the key in it, and the valid keys beside it.
 */
function maskUnknownKey(entries: Entry[], { path, validFields = {} }: FieldProblem): void {
  const unknownValue = path.reduce<Node | undefined>(
    (node, step) => itemsOf(node)[Number(step)] ?? memberOf(node, String(step)),
    mapNode(entries, nowhere),
  );
  if (unknownValue) maskUnknown(String(path.at(-1)), unknownValue, validFields);
}

/**
 * Returns a value in which every scalar at or below one of the paths is replaced by a text of as many illegible characters; keys of maps
 * stay. Used to find out if a message of a schema quotes a secret: if the schema complains about both values with the same words, these
 * contain nothing of the original text.
 */
function maskPaths(value: unknown, paths: FieldPath[]): unknown {
  if (paths.some((path) => path.length === 0)) return mapTree(value, illegible);
  const pathsBelow = (step: string | number) =>
    paths.filter(([first]) => first === step).map((path) => path.slice(1));
  if (Array.isArray(value)) return value.map((item, i) => maskPaths(item, pathsBelow(i)));
  return isPlainObject(value) ? mapMembers(value, (item, name) => maskPaths(item, pathsBelow(name))) : value;
}

/** Replaces every character of a scalar; lists and maps are walked through. */
const illegible = (value: unknown): unknown =>
  Array.isArray(value) || isPlainObject(value) ? visitMembers : String(value).replace(/./gsu, '\u0001');
