import type * as z from 'zod';
import { traitsOf } from '../../kind/traits.ts';
import { isExact } from '../../model/exact-number.ts';
import { Sealed } from '../../model/sealed.ts';
import type { Hole } from '../../model/value.ts';
import { holeOf, isNode } from '../references/hole-of.ts';
import { hintFor, quoted } from '../suggest.ts';
import {
  describe,
  type ExpressionNode,
  type ListNode,
  type MapNode,
  maskNode,
  type Node,
  type ScalarNode,
  typedValue,
} from '../yaml/nodes.ts';
import { type FieldPath, placeHole, type Reading } from './reading.ts';
import {
  expected,
  mayHoldSecret,
  optionsOf,
  shapeOf,
  takesAnything,
  takesFreeText,
  takesText,
  typeOf,
} from './schema-options.ts';

/**
 * A node as the plain value that `schema` is to check. The schema decides how a scalar is read: where it wants text, the text is
 * kept as it is written. Holes become texts that stand in for them.
 */
export function readValue(schema: z.ZodType, node: Node, path: FieldPath, reading: Reading): unknown {
  const traits = traitsOf(schema);
  if (traits.secret) reading.secrets.push({ path, node, traits });
  if (node.type === 'expression') return readExpression(schema, node, path, reading);
  if (node.type === 'hole') {
    if (node.from) reading.copies.push({ from: node.from, path, node, traits });
    return placeHole(reading, path, node.hole);
  }
  if (node.type === 'scalar') return readScalar(schema, node, path, reading);
  return readInner(schema, node, path, reading);
}

/** A node as it is, where no schema says more. */
function readPlain(node: Node, path: FieldPath, reading: Reading): unknown {
  if (node.type === 'scalar') return exactValue(node, path, reading);
  if (node.type === 'list') return node.items.map((item, i) => readPlain(item, [...path, i], reading));
  if (node.type === 'map')
    return Object.fromEntries(
      node.entries.map(({ key, value }) => [key.text, readPlain(value, [...path, key.text], reading)]),
    );
  if (node.type === 'hole') {
    if (node.from) reading.copies.push({ from: node.from, path, node, traits: {} });
    return placeHole(reading, path, node.hole);
  }
  const read = holeOf(node, reading);
  if (read === undefined) return poisoned(path, reading);
  const { value, copied } = read;
  for (const from of copied) reading.copies.push({ from, path, node, traits: {} });
  return isNode(value) ? readPlain(value, path, reading) : placeHole(reading, path, value);
}

function poisoned(path: FieldPath, reading: Reading): unknown {
  reading.isPoisoned = true;
  return placeHole(reading, path, { $join: [] });
}

function readScalar(schema: z.ZodType, written: ScalarNode, path: FieldPath, reading: Reading): unknown {
  const { schemas, nullable } = optionsOf(schema);
  const node = withType(written, schemas);
  if (node.value === null) {
    const wantsText = schemas.some(takesText);
    if (!nullable)
      reading.findings.push({
        code: 'config/null',
        message: 'this field cannot be reset',
        hint: wantsText
          ? `put it in quotes if the text ${node.text === '' ? '""' : quoted(node.text)} is meant, or remove the field`
          : 'give it a value, or remove the field',
        path,
        node,
      });
    return null;
  }
  const text = schemas.filter(takesText);
  const isText =
    typeof node.value === 'string' ||
    (text.length > 0 &&
      !schemas.some(
        (option) => (takesAnything(option) || !takesText(option)) && option.safeParse(node.value).success,
      ));
  if (text.length === 0 && mayHoldSecret(schema)) maskNode(node);
  if (!isText || text.length === 0) return exactValue(node, path, reading);
  const { ref, softRef } = traitsOf(schema);
  if (ref) return placeHole(reading, path, reading.resolver.named(ref, node.text, node));
  if (softRef) reading.resolver.mention(softRef, node.text, node);
  warnOfUnknown(schema, text, node, path, reading);
  return node.text;
}

/** Text without a type as the number or boolean that it spells, if a field takes that and not the text. */
function withType(node: ScalarNode, schemas: readonly z.ZodType[]): ScalarNode {
  if (!node.isUntyped || schemas.some((option) => takesText(option) && option.safeParse(node.text).success))
    return node;
  return schemas.every(takesText) ? node : { ...node, value: typedValue(node.text) };
}

function warnOfUnknown(
  schema: z.ZodType,
  text: z.ZodType[],
  node: ScalarNode,
  path: FieldPath,
  reading: Reading,
) {
  const lists = text.map(
    (option) =>
      traitsOf(option).knownValues ?? (text.length === 1 ? traitsOf(schema).knownValues : undefined),
  );
  if (!lists.every((list) => list !== undefined)) return;
  const known = lists.flat();
  // What no option takes is an error, and not sent.
  if (known.includes(node.text) || !text.some((option) => option.safeParse(node.text).success)) return;
  reading.findings.push({
    severity: 'warning',
    code: 'config/unknown-value',
    message: `${quoted(node.text)} is not a known value`,
    hint: `${hintFor(node.text, known, 'known values')?.replace(/[^?]$/, '$&.')} It is sent anyway, since the platform may have added it.`,
    path,
    node,
  });
}

function readExpression(schema: z.ZodType, node: ExpressionNode, path: FieldPath, reading: Reading): unknown {
  const read = holeOf(node, reading);
  // Reported already: stands in for any value, so that nothing more is said about it.
  if (read === undefined) return poisoned(path, reading);
  const { value, copied } = read;
  const traits = traitsOf(schema);
  for (const from of copied) reading.copies.push({ from, path, node, traits });
  if (isNode(value)) return readValue(schema, value, path, reading);
  const takesAny = optionsOf(schema).schemas.some(takesAnything);
  if (takesFreeText(schema) && read.schema && !takesAny)
    return readLive(schema, read.schema, value, { path, node, reading });
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

/** A value that only the account knows, for a field that takes text: a number is written as text, a list or a map is refused. */
function readLive(
  schema: z.ZodType,
  source: z.ZodType,
  hole: Hole | Sealed,
  { path, node, reading }: { path: FieldPath; node: ExpressionNode; reading: Reading },
): unknown {
  const { schemas } = optionsOf(source);
  const isScalar = schemas.some(
    (option) => takesText(option) || ['number', 'boolean'].includes(typeOf(option)),
  );
  if (!isScalar)
    reading.findings.push({
      code: 'config/type',
      message: `the referenced value is ${schemas.some((option) => typeOf(option) === 'array') ? 'a list' : 'a map'}, which is not allowed here`,
      hint: expected(schema),
      path,
      node,
    });
  const isText = schemas.every(takesText);
  return placeHole(reading, path, isText || hole instanceof Sealed ? hole : { $join: [hole] });
}

function readInner(schema: z.ZodType, node: ListNode | MapNode, path: FieldPath, reading: Reading): unknown {
  const fitting = optionsOf(schema).schemas.filter((option) =>
    node.type === 'list'
      ? ['array', 'tuple', 'set'].includes(typeOf(option))
      : typeOf(option) === 'record' || shapeOf(option),
  );
  const [only, ...more] = fitting;
  if (!only) {
    if (mayHoldSecret(schema)) maskNode(node);
    if (optionsOf(schema).schemas.some(takesAnything)) return readPlain(node, path, reading);
    reading.findings.push({
      code: 'config/type',
      message: `${describe(node)} is not allowed here`,
      hint: expected(schema),
      path,
      node,
    });
    return null;
  }
  if (more.length === 0) return readMembers(only, node, path, reading);
  // Several shapes: the one with which most is right, tried without consequences.
  const tried = fitting.map((option) => {
    const trial: Reading = { ...reading, findings: [], holes: [...reading.holes], copies: [], secrets: [] };
    const result = option.safeParse(readMembers(option, node, path, trial));
    const wrong = trial.findings.filter(({ severity }) => severity !== 'warning').length;
    return {
      option,
      wrong:
        wrong + (result.error?.issues.reduce((sum, issue) => sum + (issue.path.length > 0 ? 1 : 2), 0) ?? 0),
    };
  });
  const best = tried.reduce((a, b) => (b.wrong < a.wrong ? b : a));
  return readMembers(best.option, node, path, reading);
}

function readMembers(
  option: z.ZodType,
  node: ListNode | MapNode,
  path: FieldPath,
  reading: Reading,
): unknown {
  const def = option.def as unknown as {
    element?: z.ZodType;
    valueType?: z.ZodType;
    items?: z.ZodType[];
    rest?: z.ZodType | null;
    catchall?: z.ZodType;
  };
  if (node.type === 'list')
    return node.items.map((item, i) => {
      const schema = def.element ?? def.valueType ?? def.items?.[i] ?? def.rest;
      return schema ? readValue(schema, item, [...path, i], reading) : readPlain(item, [...path, i], reading);
    });
  const shape = shapeOf(option) ?? {};
  return Object.fromEntries(
    node.entries.map(({ key, value }) => {
      const schema = Object.hasOwn(shape, key.text) ? shape[key.text] : (def.valueType ?? def.catchall);
      const inner = [...path, key.text];
      const known = schema && typeOf(schema) !== 'never';
      return [key.text, known ? readValue(schema, value, inner, reading) : readPlain(value, inner, reading)];
    }),
  );
}

/** A scalar's value, which JSON must hold as it is written: `.nan` would be sent as null, and long numbers rounded. */
function exactValue(node: ScalarNode, path: FieldPath, reading: Reading): unknown {
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
