import type * as z from 'zod';
import { secrecyOf } from '../../kind/disclosure.ts';
import type { Kind } from '../../kind/kind.ts';
import { type FieldTraits, traitsOf } from '../../kind/traits.ts';
import { memoize } from '../../model/graph.ts';
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
import { findingsOfIssue } from './findings-of-issue.ts';
import { readValue } from './read-value.ts';
import {
  type CopyOfField,
  createReading,
  type FieldPath,
  type FieldReading,
  type Finding,
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
  findings: Finding[];
  /** The values that were taken from secret or live fields of other resources. */
  copies: CopiedValue[];
  /**
   * True if a value could not be determined and the problem was reported. The fields are then only good for messages.
   */
  hasReportedProblem: boolean;
}

/**
 * Checks and normalizes the fields of one block. With `isPartial`, required fields outside the key may be missing
 * (`$existing`, `$forget`). Secrets are sealed, and masked in the file, even if the block is invalid, because the
 * messages quote the file. `parentFields`: the fields of the block around it, which rules of the kind may need.
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
  const { fields, findings: fieldFindings } = checkFields(kind, raw, isPartial, reading);
  for (const finding of fieldFindings)
    if (finding.code === 'config/unknown-key') maskUnknownKey(entries, finding);
  const secretPaths = sealSecretValues(raw, fields, reading);
  const findings = [...reading.findings, ...fieldFindings].map((finding) =>
    quotesSecret(finding, { kind, raw, secretPaths, reading })
      ? { ...finding, message: 'this secret value is not valid here', hint: undefined }
      : finding,
  );
  if (
    kind.rules.check &&
    !isPartial &&
    !reading.hasReportedProblem &&
    findings.every(({ severity }) => severity === 'warning')
  )
    findings.push(
      ...kind.rules.check(fields, parentFields).map((finding) => ({ code: 'config/check', ...finding })),
    );
  const copies = reading.copies.map((copy) => ({ ...copy, secrecy: secrecyOfTarget(copy, kind, fields) }));
  return { fields, findings, copies, hasReportedProblem: reading.hasReportedProblem };
}

/**
 * Checks each field of a kind by its schema. The plan compares the normal form with the account. Returns the valid
 * fields in normal form with their defaults, and findings for invalid and missing fields. `raw`: the values that
 * `readValue` returned.
 */
function checkFields(
  kind: Kind,
  raw: Fields,
  isPartial: boolean,
  reading: FieldReading,
): { fields: Fields; findings: Finding[] } {
  const fields: Fields = {};
  const findings: Finding[] = [];
  for (const [name, schema] of Object.entries(kind.fields)) {
    if (Object.hasOwn(raw, name)) {
      const checked = checkField(name, schema, raw[name], reading);
      if ('value' in checked) fields[name] = checked.value as Value;
      else findings.push(...checked.findings);
    } else {
      const absent = parsedDefaultOf(schema);
      if (absent.success && absent.data !== undefined) fields[name] = absent.data as Value;
      if (!absent.success && (!isPartial || kind.key.includes(name)))
        findings.push({
          code: 'config/missing',
          message: `\`${name}\` is missing`,
          path: [name],
          onKey: true,
        });
    }
  }
  return { fields, findings };
}

/**
 * Masks the values of secret fields in the quoted lines of the file, and seals them in `fields`, so that no plan or message can print them by
 * accident. Returns their paths. Whether a field is secret can depend on other fields, so this runs after all fields were checked. For an
 * invalid field, its unchecked value counts.
 */
function sealSecretValues(raw: Fields, fields: Fields, reading: FieldReading): FieldPath[] {
  if (reading.secrets.length === 0) return [];
  const bestFields = { ...(restoreHoles(raw, reading)?.value as Fields), ...fields };
  const secrets = reading.secrets.filter(({ node, traits }) => isSecretHere(node, traits, bestFields));
  for (const { path, node } of secrets) {
    maskNode(node);
    const [name, ...innerPath] = path;
    if (name !== undefined && Object.hasOwn(fields, name))
      fields[name] = sealAt(fields[name]!, innerPath, {
        literals: true,
        except: (value) => value === pendingValue,
      });
  }
  return secrets.map(({ path }) => path);
}

/**
 * True if the message of a finding may contain a secret value. It does not if a masked value of the same length leads
 * to the same message: then the text is a constant of the schema. Used to replace such messages.
 */
function quotesSecret(
  { code, path, message, hint }: Finding,
  { kind, raw, secretPaths, reading }: FindingContext,
): boolean {
  const isAboutSecret = secretPaths.some(
    (secretPath) => isFieldBelow(path, secretPath) || isFieldBelow(secretPath, path),
  );
  if (code !== 'config/value' || !isAboutSecret) return false;
  const name = path[0]!;
  const illegibleFields = maskPaths(raw, secretPaths) as Fields;
  const checked = checkField(String(name), kind.fields[name]!, illegibleFields[name], reading);
  const isConstantText =
    'findings' in checked &&
    checked.findings.some((finding) => finding.message === message && finding.hint === hint);
  return !isConstantText;
}

/** The fields before the check (`raw`) and the paths of secrets among them. */
interface FindingContext {
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

/** Returns the result of checking a missing field: its default, or an error if the field is required. */
const parsedDefaultOf = memoize((schema: z.ZodType) => schema.safeParse(undefined));

/**
 * Checks one value by its schema. Used for the fields of blocks and for the inputs of actions. Returns the value in
 * normal form with its holes (values for later), or the findings. `raw`: the value that `readValue` returned.
 * Findings about holes, and about parts with an earlier error, are left out.
 */
export function checkField(
  name: string,
  schema: z.ZodType,
  raw: unknown,
  reading: FieldReading,
): { value: unknown } | { findings: Finding[] } {
  const result = schema.safeParse(raw);
  if (result.success) return restoreHoles(result.data, reading) ?? restoreHoles(raw, reading)!;
  const subject = { name, schema, raw };
  const reportedBefore = reading.findings.filter(
    ({ severity, path }) => severity !== 'warning' && path[0] === name,
  );
  const findings = result.error.issues
    .flatMap((issue) => findingsOfIssue(issue, subject))
    .filter(
      ({ path }) =>
        !isAtHole(path, reading) && !reportedBefore.some((finding) => isFieldBelow(path, finding.path)),
    );
  if (findings.length > 0 || reportedBefore.length > 0) return { findings };
  // Zod rejected only texts that represent holes. Their real values are known later, and the platform checks them.
  return restoreHoles(raw, reading)!;
}

/** True if a path is `ancestor` or inside it. */
export const isFieldBelow = (path: readonly PropertyKey[], ancestor: readonly PropertyKey[]): boolean =>
  ancestor.every((step, i) => step === path[i]);

/**
 * True if a value must be sealed. A text that stands in the configuration itself is readable for everyone, so it is not
 * sealed if the field allows that (`inClear`). If the traits cannot be evaluated, the value counts as secret.
 */
function isSecretHere(
  node: Node,
  { secret, inClear }: Pick<FieldTraits, 'secret' | 'inClear'>,
  fields: Fields,
): boolean {
  try {
    const isSecret = typeof secret === 'function' ? secret(fields) : secret === true;
    return isSecret && !(inClear?.(fields) === true && isFromConfiguration(node));
  } catch {
    return true;
  }
}

/**
 * Hides the value of an unknown key from the lines of YAML that messages quote, if it may be a secret: the key may be a misspelled secret
 * field. The message about the key still quotes the key itself.
 */
function maskUnknownKey(entries: Entry[], { path, validFields = {} }: Finding): void {
  const unknownValue = path.reduce<Node | undefined>(
    (node, step) => itemsOf(node)[Number(step)] ?? memberOf(node, String(step)),
    mapNode(entries, nowhere),
  );
  if (unknownValue) maskUnknown(String(path.at(-1)), unknownValue, validFields);
}

/**
 * Returns a value with every scalar at or below these paths replaced by as many illegible characters. Used to find
 * out if a message of the schema quotes a secret. If a schema has the same complaint about both values, the complaint
 * contains nothing of the original text.
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
