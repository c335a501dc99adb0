/**
 * Converts nodes of the YAML to the plain values that zod checks. YAML 1.2 reads `1.0` as a number, but a field may want text, so the
 * schema of the field decides how a scalar is read. Holes become texts that represent them; see `reading.ts`.
 */
import type * as z from 'zod';
import { traitsOf } from '../../kind/traits.ts';
import { isExact } from '../../model/read-json.ts';
import { Sealed } from '../../model/sealed.ts';
import type { Hole } from '../../model/value.ts';
import { combineParts, isYamlNode } from '../references/combine-parts.ts';
import { hintFor, quoted } from '../suggest.ts';
import {
  describeNodeType,
  type ExpressionNode,
  type ListNode,
  type MapNode,
  maskNode,
  type Node,
  type ScalarNode,
  typedValue,
} from '../yaml/nodes.ts';
import { type FieldPath, type FieldReading, placeHole } from './reading.ts';
import {
  expectedHint,
  mayHoldSecret,
  objectShapeOf,
  schemaOptionsOf,
  takesAnything,
  takesFreeText,
  takesText,
  typeOf,
} from './schema-options.ts';

/**
 * Returns a node of the YAML as the plain value that `schema` is to check, for each field of a block and each part of it that has a
 * schema. Records secrets and references on the way. Problems become findings, from which messages are made later.
 */
export function readValue(schema: z.ZodType, node: Node, path: FieldPath, reading: FieldReading): unknown {
  const traits = traitsOf(schema);
  if (traits.secret) reading.secrets.push({ path, node, traits });
  if (node.type === 'expression') return readExpression(schema, node, path, reading);
  if (node.type === 'hole') {
    if (node.from) reading.copies.push({ from: node.from, path, node, traits });
    return placeHole(reading, path, node.hole);
  }
  if (node.type === 'scalar') return readScalar(schema, node, path, reading);
  return readContainer(schema, node, path, reading);
}

/**
 * Returns a node of the YAML as a plain value if no schema describes it, for example inside free-form data. Zod
 * checks the result. Scalars keep the type which YAML gives them. Holes (values for later) are replaced by texts that
 * represent them.
 */
function readWithoutSchema(node: Node, path: FieldPath, reading: FieldReading): unknown {
  if (node.type === 'scalar') return exactValue(node, path, reading);
  if (node.type === 'list')
    return node.items.map((item, i) => readWithoutSchema(item, [...path, i], reading));
  if (node.type === 'map')
    return Object.fromEntries(
      node.entries.map(({ key, value }) => [
        key.text,
        readWithoutSchema(value, [...path, key.text], reading),
      ]),
    );
  if (node.type === 'hole') {
    if (node.from) reading.copies.push({ from: node.from, path, node, traits: {} });
    return placeHole(reading, path, node.hole);
  }
  const combined = combineParts(node, reading);
  if (combined === undefined) return placeReportedProblem(path, reading);
  const { value, copied } = combined;
  for (const from of copied) reading.copies.push({ from, path, node, traits: {} });
  return isYamlNode(value) ? readWithoutSchema(value, path, reading) : placeHole(reading, path, value);
}

/**
 * Marks the fields as poisoned (a value is missing and the problem was reported), and returns a text that represents
 * the value. So zod reports no second problem for the same place.
 */
function placeReportedProblem(path: FieldPath, reading: FieldReading): unknown {
  reading.hasReportedProblem = true;
  return placeHole(reading, path, { $join: [] });
}

/**
 * Reads a scalar of a field by the options (alternatives) of its schema: as text if the schema takes text and no other option takes the
 * value, otherwise as the value that YAML reads. So the version `1.0` stays a text in a text field. `written`: the scalar as it stands in
 * the file.
 */
function readScalar(schema: z.ZodType, written: ScalarNode, path: FieldPath, reading: FieldReading): unknown {
  const { schemas, nullable } = schemaOptionsOf(schema);
  const node = withType(written, schemas);
  const textSchemas = schemas.filter(takesText);
  if (node.value === null) {
    const text = node.text === '' ? '""' : quoted(node.text);
    if (!nullable)
      reading.findings.push({
        code: 'config/null',
        message: 'this field cannot be reset',
        hint:
          textSchemas.length > 0
            ? `put it in quotes if the text ${text} is meant, or remove the field`
            : 'give it a value, or remove the field',
        path,
        node,
      });
    return null;
  }
  if (textSchemas.length === 0) {
    if (mayHoldSecret(schema)) maskNode(node);
    return exactValue(node, path, reading);
  }
  const takesValue = (option: z.ZodType) => option.safeParse(node.value).success;
  const otherSchemas = schemas.filter((option) => takesAnything(option) || !takesText(option));
  if (typeof node.value !== 'string' && otherSchemas.some(takesValue)) return exactValue(node, path, reading);
  const { ref, softRef } = traitsOf(schema);
  if (ref) return placeHole(reading, path, reading.resolver.resolveName(ref, node.text, node));
  if (softRef) reading.resolver.recordMention(softRef, node.text, node);
  warnOfUnknownValue(schema, textSchemas, node, path, reading);
  return node.text;
}

/**
 * Returns a cell of a CSV file (the data of a variable) as the number or boolean that it spells, if its field takes only those. In a CSV
 * file every cell is text, so the field decides what a cell means. Other scalars, and cells whose text is valid, are returned unchanged.
 */
function withType(node: ScalarNode, schemas: readonly z.ZodType[]): ScalarNode {
  if (!node.isUntyped || schemas.some((option) => takesText(option) && option.safeParse(node.text).success))
    return node;
  return schemas.every(takesText) ? node : { ...node, value: typedValue(node.text) };
}

/**
 * Warns, in `check` and `plan`, about a text that is none of the known values of its field (trait `knownValues`), such as a region. It may
 * be misspelled, but it is still sent, since the platform may have added it after this release.
 */
function warnOfUnknownValue(
  schema: z.ZodType,
  textSchemas: z.ZodType[],
  node: ScalarNode,
  path: FieldPath,
  reading: FieldReading,
) {
  const lists = textSchemas.map(
    (option) =>
      traitsOf(option).knownValues ?? (textSchemas.length === 1 ? traitsOf(schema).knownValues : undefined),
  );
  if (!lists.every((list) => list !== undefined)) return;
  const knownValues = lists.flat();
  // A text that no option takes is an error, reported elsewhere.
  if (knownValues.includes(node.text) || !textSchemas.some((option) => option.safeParse(node.text).success))
    return;
  reading.findings.push({
    severity: 'warning',
    code: 'config/unknown-value',
    message: `${quoted(node.text)} is not a known value`,
    hint: `${hintFor(node.text, knownValues, 'known values')?.replace(/[^?]$/, '$&.')} It is sent anyway, since the platform may have added it.`,
    path,
    node,
  });
}

/**
 * Reads a text with expressions as the value of a field. An expression whose value is known only later (a secret, for example) becomes a
 * hole. A hole is allowed only if the field takes any text, because the schema cannot check its value before `apply` fills it.
 */
function readExpression(
  schema: z.ZodType,
  node: ExpressionNode,
  path: FieldPath,
  reading: FieldReading,
): unknown {
  const combined = combineParts(node, reading);
  // The problem was reported.
  if (combined === undefined) return placeReportedProblem(path, reading);
  const { value, copied } = combined;
  const traits = traitsOf(schema);
  for (const from of copied) reading.copies.push({ from, path, node, traits });
  if (isYamlNode(value)) return readValue(schema, value, path, reading);
  const takesAny = schemaOptionsOf(schema).schemas.some(takesAnything);
  if (takesFreeText(schema) && combined.schema && !takesAny)
    return readLive(schema, combined.schema, value, { path, node, reading });
  if (!takesFreeText(schema))
    reading.findings.push({
      code: 'config/hole',
      message: 'this value must be known before anything is read or created',
      hint: 'a secret or the id of a resource can only be used where any text is allowed',
      path,
      node,
    });
  return placeHole(reading, path, value);
}

/**
 * Reads a value that only the account has, for a field that takes text. `source`: the schema of the referenced field. A
 * number is written as text at the run; a list or a map is refused now.
 */
function readLive(
  schema: z.ZodType,
  source: z.ZodType,
  hole: Hole | Sealed,
  { path, node, reading }: { path: FieldPath; node: ExpressionNode; reading: FieldReading },
): unknown {
  const { schemas } = schemaOptionsOf(source);
  const isScalar = schemas.some(
    (option) => takesText(option) || ['number', 'boolean'].includes(typeOf(option)),
  );
  if (!isScalar)
    reading.findings.push({
      code: 'config/type',
      message: `the referenced value is ${schemas.some((option) => typeOf(option) === 'array') ? 'a list' : 'a map'}, which is not allowed here`,
      hint: expectedHint(schema),
      path,
      node,
    });
  const isText = schemas.every(takesText);
  return placeHole(reading, path, isText || hole instanceof Sealed ? hole : { $join: [hole] });
}

/**
 * Reads a list or a map of a field by the option (alternative) of the field's schema that fits best, since a field may accept several
 * forms. If several options are possible, the one with the fewest problems is used, so that the message explains the likely mistake.
 */
function readContainer(
  schema: z.ZodType,
  node: ListNode | MapNode,
  path: FieldPath,
  reading: FieldReading,
): unknown {
  const candidates = schemaOptionsOf(schema).schemas.filter((option) =>
    node.type === 'list'
      ? ['array', 'tuple', 'set'].includes(typeOf(option))
      : typeOf(option) === 'record' || objectShapeOf(option),
  );
  const [only, ...more] = candidates;
  if (!only) {
    if (mayHoldSecret(schema)) maskNode(node);
    if (schemaOptionsOf(schema).schemas.some(takesAnything)) return readWithoutSchema(node, path, reading);
    reading.findings.push({
      code: 'config/type',
      message: `${describeNodeType(node)} is not allowed here`,
      hint: expectedHint(schema),
      path,
      node,
    });
    return null;
  }
  if (more.length === 0) return readMembers(only, node, path, reading);
  const trials = candidates.map((option) => ({
    option,
    problemCount: countProblems(option, node, path, reading),
  }));
  const best = trials.reduce((a, b) => (b.problemCount < a.problemCount ? b : a));
  return readMembers(best.option, node, path, reading);
}

/**
 * Returns how many problems a list or a map has by one option of its schema. Works on a copy of the reading, so that
 * the trial leaves no findings or secrets behind.
 */
function countProblems(
  option: z.ZodType,
  node: ListNode | MapNode,
  path: FieldPath,
  reading: FieldReading,
): number {
  const trial: FieldReading = {
    ...reading,
    findings: [],
    holes: [...reading.holes],
    copies: [],
    secrets: [],
  };
  const { error } = option.safeParse(readMembers(option, node, path, trial));
  const errorCount = trial.findings.filter(({ severity }) => severity !== 'warning').length;
  // A problem with the whole value counts twice: the option does not fit at all.
  const issueWeights = (error?.issues ?? []).map((issue) => (issue.path.length > 0 ? 1 : 2));
  return issueWeights.reduce((sum, weight) => sum + weight, errorCount);
}

/**
 * Reads the members of a list or a map of a field by one option (alternative) of its schema. Each member is read by its own schema, which
 * decides whether `1.0` is a text or a number. Members without a schema are read as YAML reads them; zod rejects them later if they are
 * not allowed.
 */
function readMembers(
  option: z.ZodType,
  node: ListNode | MapNode,
  path: FieldPath,
  reading: FieldReading,
): unknown {
  const def = option.def as unknown as Partial<
    Record<'element' | 'valueType' | 'rest' | 'catchall', z.ZodType> & { items: z.ZodType[] }
  >;
  if (node.type === 'list')
    return node.items.map((item, i) => {
      const schema = def.element ?? def.valueType ?? def.items?.[i] ?? def.rest;
      return schema
        ? readValue(schema, item, [...path, i], reading)
        : readWithoutSchema(item, [...path, i], reading);
    });
  const shape = objectShapeOf(option) ?? {};
  return Object.fromEntries(
    node.entries.map(({ key, value }) => {
      const schema = Object.hasOwn(shape, key.text) ? shape[key.text] : (def.valueType ?? def.catchall);
      const memberPath = [...path, key.text];
      const isValidKey = schema && typeOf(schema) !== 'never';
      return [
        key.text,
        isValidKey
          ? readValue(schema, value, memberPath, reading)
          : readWithoutSchema(value, memberPath, reading),
      ];
    }),
  );
}

/**
 * Returns the value of a scalar that is to be sent to the platform. Reports a number that JSON cannot hold as it is written, because the
 * platform would get another value: `.nan` becomes null, and long numbers are rounded.
 */
function exactValue(node: ScalarNode, path: FieldPath, reading: FieldReading): unknown {
  if (typeof node.value !== 'number' || isExact(node.text, node.value)) return node.value;
  const isRound = Number.isFinite(node.value);
  reading.findings.push({
    code: 'config/number',
    message: isRound
      ? `this number cannot be represented exactly: it would be sent as ${JSON.stringify(node.value)}`
      : 'this number cannot be sent',
    hint: isRound ? 'use fewer digits, or quote it if it is text' : 'quote it if it is text',
    path,
    node,
  });
  return 0;
}
