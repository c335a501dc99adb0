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
import { hintFor, quoted, withFullStop } from '../suggest.ts';
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
import { type FieldPath, type FieldProblem, type FieldReading, placeHole } from './reading.ts';
import {
  expectedHint,
  knownValuesOf,
  mayHoldSecret,
  objectShapeOf,
  optionsByForm,
  schemaOptionsOf,
  takesAnything,
  takesFreeText,
  takesText,
  typeOf,
} from './schema-options.ts';

/**
 * Returns a node of the YAML as the plain value that `schema` checks afterwards: a field of a block, or a
 * part of it that has a schema. Secrets and references on the way are recorded in `reading`, the state of
 * reading this block. Problems are added there as field problems, from which messages are made later. `path`: the
 * field and the keys that lead to the part.
 */
export function readValue(schema: z.ZodType, node: Node, path: FieldPath, reading: FieldReading): unknown {
  const traits = traitsOf(schema);
  if (traits.secret) reading.secrets.push({ path, node, traits });
  if (node.type === 'expression') return readExpression(schema, node, path, reading);
  // A value that is known only later, or a sealed secret. `from`: the field of another resource that it was copied from.
  if (node.type === 'hole') {
    if (node.from) reading.copies.push({ from: node.from, path, node, traits });
    return placeHole(reading, path, node.hole);
  }
  if (node.type === 'scalar') return readScalar(schema, node, path, reading);
  return readContainer(schema, node, path, reading);
}

/**
 * Returns a node of the YAML as a plain value where no schema describes it, for example inside free-form
 * data. Scalars keep the type which YAML gives them. A value that is known only later (a hole, such as a
 * secret) is replaced by a text that stands for it, because zod, which checks the result, takes only plain
 * values.
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
 * Records that a value is missing whose problem was reported, and returns a text that stands for the value. So
 * zod reports no second problem for the same place.
 */
function placeReportedProblem(path: FieldPath, reading: FieldReading): unknown {
  reading.hasReportedProblem = true;
  return placeHole(reading, path, { $join: [] });
}

/**
 * Returns a scalar of a field as a plain value: as text if the field takes text and no other alternative of
 * its schema takes the value, otherwise the number or boolean that YAML reads. So the version `1.0` stays a
 * text in a text field. The name of another resource in a reference field becomes a reference. `written`: the
 * scalar as it stands in the file.
 */
function readScalar(schema: z.ZodType, written: ScalarNode, path: FieldPath, reading: FieldReading): unknown {
  const { schemas, nullable } = schemaOptionsOf(schema);
  const node = withTypeOfCsvText(written, schemas);
  const { texts: textSchemas, otherScalars } = optionsByForm(schema);
  if (node.value === null) {
    if (!nullable) reading.fieldProblems.push(nullProblem(node, path, textSchemas.length > 0));
    return null;
  }
  // The field takes no text. Zod rejects the scalar if it does not fit.
  if (textSchemas.length === 0) {
    if (mayHoldSecret(schema)) maskNode(node);
    return exactValue(node, path, reading);
  }
  const takesValue = (option: z.ZodType) => option.safeParse(node.value).success;
  if (typeof node.value !== 'string' && otherScalars.some(takesValue)) return exactValue(node, path, reading);
  // The field takes the name of a resource: as a reference (`ref`), or as a text that need not be declared (`softRef`).
  const { ref, softRef } = traitsOf(schema);
  if (ref) return placeHole(reading, path, reading.resolver.resolveName(ref, node.text, node));
  if (softRef) reading.resolver.recordMention(softRef, node.text, node);
  warnOfUnknownValue(schema, node, path, reading);
  return node.text;
}

/** Returns the field problem for a null in a field that does not take it. `takesTexts`: `null` may be meant as a text. */
function nullProblem(node: ScalarNode, path: FieldPath, takesTexts: boolean): FieldProblem {
  const text = node.text === '' ? '""' : quoted(node.text);
  return {
    code: 'config/null',
    message: 'this field cannot be reset',
    hint: takesTexts
      ? `put it in quotes if the text ${text} is meant, or remove the field`
      : 'give it a value, or remove the field',
    path,
    node,
  };
}

/**
 * Returns a value from a CSV file, in which everything is text, as the number or boolean that it spells, if
 * its field does not take it as text: so `30` works for a number field. `schemas`: the alternatives of the field. Values
 * from other places, and texts that the field takes, are returned unchanged.
 */
function withTypeOfCsvText(node: ScalarNode, schemas: readonly z.ZodType[]): ScalarNode {
  if (!node.isUntyped) return node;
  const isTakenAsText = schemas.some((option) => takesText(option) && option.safeParse(node.text).success);
  // A text that such a field rejects would be wrong as a number, too.
  const takesOnlyTexts = schemas.every(takesText);
  return isTakenAsText || takesOnlyTexts ? node : { ...node, value: typedValue(node.text) };
}

/**
 * Adds a warning if a text is none of the known values of its field, such as a region (trait `knownValues`).
 * It may be misspelled, but it is still sent, since the platform may have added it after this release.
 */
function warnOfUnknownValue(schema: z.ZodType, node: ScalarNode, path: FieldPath, reading: FieldReading) {
  const knownValues = knownValuesOf(schema);
  if (!knownValues || knownValues.includes(node.text)) return;
  // A text that no option takes is an error, reported elsewhere.
  if (!optionsByForm(schema).texts.some((option) => option.safeParse(node.text).success)) return;
  const suggestion = withFullStop(hintFor(node.text, knownValues, 'known values') ?? '');
  reading.fieldProblems.push({
    severity: 'warning',
    code: 'config/unknown-value',
    message: `${quoted(node.text)} is not a known value`,
    hint: `${suggestion} It is sent anyway, since the platform may have added it.`,
    path,
    node,
  });
}

/**
 * Returns the value of a text with expressions (`${...}`) for a field. If a part of it is known only later (a
 * secret, an id), the result is a text that stands for it, and a hole is recorded, which a run fills. This is
 * allowed only if the field takes any text, because the schema cannot check the value; otherwise it is a
 * field problem.
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
  // `liveSchema`: that of the referenced field, if the whole text is a reference to a field that only the account has.
  const { value, copied, schema: liveSchema } = combined;
  const traits = traitsOf(schema);
  for (const from of copied) reading.copies.push({ from, path, node, traits });
  if (isYamlNode(value)) return readValue(schema, value, path, reading);
  if (!takesFreeText(schema)) {
    reading.fieldProblems.push({
      code: 'config/hole',
      message: 'this value must be known before anything is read or created',
      hint: 'a secret or the id of a resource can only be used where any text is allowed',
      path,
      node,
    });
    // A hole is placed nevertheless, so that zod reports no second problem for this place.
    return placeHole(reading, path, value);
  }
  const mustBeText = !schemaOptionsOf(schema).schemas.some(takesAnything);
  return liveSchema && mustBeText
    ? readLive(schema, liveSchema, value, { path, node, reading })
    : placeHole(reading, path, value);
}

/**
 * Puts a reference to a field that only the account has (`hole`), such as an id, into a field that takes text.
 * Returns the text that stands for it while zod checks the field. A run fills it later; a number becomes a text then
 * (`$join`). Adds a field problem if the referenced field has a list or a map. `schema`: that of the field which
 * takes the value. `source`: that of the referenced field.
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
    reading.fieldProblems.push({
      code: 'config/type',
      message: `the referenced value is ${schemas.some((option) => typeOf(option) === 'array') ? 'a list' : 'a map'}, which is not allowed here`,
      hint: expectedHint(schema),
      path,
      node,
    });
  // A number has to become a text when it is filled in. A sealed secret is a text already.
  const isText = schemas.every(takesText);
  return placeHole(reading, path, isText || hole instanceof Sealed ? hole : { $join: [hole] });
}

/**
 * Returns a list or a map of a field as a plain value. A field may accept several forms, so it is read by the
 * alternative of the field's schema that fits. If several are possible, the one with the fewest problems is
 * used, so that the message explains the likely mistake. Adds a field problem and returns null if none
 * takes a list or a map.
 */
function readContainer(
  schema: z.ZodType,
  node: ListNode | MapNode,
  path: FieldPath,
  reading: FieldReading,
): unknown {
  const { lists, maps } = optionsByForm(schema);
  const candidates = node.type === 'list' ? lists : maps;
  if (candidates.length === 0) return readUnexpectedContainer(schema, node, path, reading);
  const option = candidates.length === 1 ? candidates[0]! : bestOption(candidates, node, path, reading);
  return readMembers(option, node, path, reading);
}

/**
 * Returns a list or a map of a field that declares none: as YAML reads it if the field takes anything, or else null after adding a field
 * problem. Masks it in quoted lines if the field may hold a secret.
 */
function readUnexpectedContainer(
  schema: z.ZodType,
  node: ListNode | MapNode,
  path: FieldPath,
  reading: FieldReading,
): unknown {
  if (mayHoldSecret(schema)) maskNode(node);
  if (schemaOptionsOf(schema).schemas.some(takesAnything)) return readWithoutSchema(node, path, reading);
  reading.fieldProblems.push({
    code: 'config/type',
    message: `${describeNodeType(node)} is not allowed here`,
    hint: containerHint(schema, node),
    path,
    node,
  });
  return null;
}

/** Returns the alternative of a schema by which a list or a map has the fewest problems; the first of several. */
function bestOption(
  options: readonly z.ZodType[],
  node: ListNode | MapNode,
  path: FieldPath,
  reading: FieldReading,
): z.ZodType {
  const trials = options.map((option) => ({
    option,
    problemCount: countProblems(option, node, path, reading),
  }));
  return trials.reduce((a, b) => (b.problemCount < a.problemCount ? b : a)).option;
}

/**
 * Returns the hint for a list or map in a field that takes neither. People write a map such as `{ env: NAME }` for a
 * secret, because other tools read it so.
 */
function containerHint(schema: z.ZodType, { type }: ListNode | MapNode): string | undefined {
  const expected = expectedHint(schema);
  if (type !== 'map' || !mayHoldSecret(schema)) return expected;
  const forSecret = 'for a secret, declare it under `secrets:` and write `${secret.NAME}` here';
  return expected === undefined ? forSecret : `${expected}; ${forSecret}`;
}

/**
 * Returns how many problems a list or a map has if it is read by one alternative of its field's schema, to
 * find the one that fits best. Works on a copy of the state of reading, so that the trial leaves no problems
 * or secrets behind. Masks and links of the trial stay.
 */
function countProblems(
  option: z.ZodType,
  node: ListNode | MapNode,
  path: FieldPath,
  reading: FieldReading,
): number {
  // The holes are copied, because the texts that stand for them contain their index.
  const trial: FieldReading = {
    ...reading,
    fieldProblems: [],
    holes: [...reading.holes],
    copies: [],
    secrets: [],
  };
  const { error } = option.safeParse(readMembers(option, node, path, trial));
  const errorCount = trial.fieldProblems.filter(({ severity }) => severity !== 'warning').length;
  // A problem with the whole value counts twice: the option does not fit at all.
  const issueWeights = (error?.issues ?? []).map((issue) => (issue.path.length > 0 ? 1 : 2));
  return issueWeights.reduce((sum, weight) => sum + weight, errorCount);
}

/**
 * Returns a list or a map of a field as a plain value, read by one alternative of its schema (`option`). Each
 * member is read by its own schema, which decides whether `1.0` is a text or a number. Members without a
 * schema are read as YAML reads them; zod rejects them later if they are not allowed.
 */
function readMembers(
  option: z.ZodType,
  node: ListNode | MapNode,
  path: FieldPath,
  reading: FieldReading,
): unknown {
  const readMember = (schema: z.ZodType | undefined, member: Node, step: string | number) =>
    schema && typeOf(schema) !== 'never'
      ? readValue(schema, member, [...path, step], reading)
      : readWithoutSchema(member, [...path, step], reading);
  // A zod schema has only some of these members, by its type: an array has `element`, for example.
  const def = option.def as unknown as MemberSchemas;
  if (node.type === 'list') {
    const schemaOfItem = (index: number) => def.element ?? def.valueType ?? def.items?.[index] ?? def.rest;
    return node.items.map((item, index) => readMember(schemaOfItem(index), item, index));
  }
  const shape = objectShapeOf(option) ?? {};
  const schemaOfMember = (name: string) =>
    Object.hasOwn(shape, name) ? shape[name] : (def.valueType ?? def.catchall);
  return Object.fromEntries(
    node.entries.map(({ key, value }) => [key.text, readMember(schemaOfMember(key.text), value, key.text)]),
  );
}

/** The schemas of members in the definition of a zod schema. Which of them there are depends on its type. */
interface MemberSchemas {
  /** All items of an array. */
  element?: z.ZodType;
  /** All items of a set, and all values of a record. */
  valueType?: z.ZodType;
  /** The first items of a tuple, one schema each. */
  items?: z.ZodType[];
  /** All further items of a tuple. */
  rest?: z.ZodType;
  /** The members of an object that its shape does not name. */
  catchall?: z.ZodType;
}

/**
 * Returns the value of a scalar that will be sent to the platform. Adds a field problem for a number
 * that JSON cannot hold as it is written, because the platform would get another value: `.nan` becomes null,
 * and long numbers are rounded. Then it returns 0, so that zod reports no wrong type as well.
 */
function exactValue(node: ScalarNode, path: FieldPath, reading: FieldReading): unknown {
  if (typeof node.value !== 'number' || isExact(node.text, node.value)) return node.value;
  const isRounded = Number.isFinite(node.value);
  reading.fieldProblems.push({
    code: 'config/number',
    message: isRounded
      ? `this number cannot be represented exactly: it would be sent as ${JSON.stringify(node.value)}`
      : 'this number cannot be sent',
    hint: isRounded ? 'use fewer digits, or quote it if it is text' : 'quote it if it is text',
    path,
    node,
  });
  return 0;
}
