/**
 * Combines the parts of a text with expressions (`"https://${projects.web.id}.example.com"`) into one value:
 *
 *   one part                     that part: a hole, or the node of a declared value
 *   only known texts             one scalar
 *   some part is known later     a hole with `$join`: its pieces are joined when the value is sent
 */
import type * as z from 'zod';
import { Sealed } from '../../model/sealed.ts';
import { type Hole, isJoin, isSecret, isSecretRef, type Value } from '../../model/value.ts';
import { type FieldReading, pendingValue } from '../fields/reading.ts';
import { mayBeText } from '../fields/schema-options.ts';
import { amountOfValue, maxTextLength } from '../growth.ts';
import { quoted } from '../suggest.ts';
import {
  type CopiedField,
  type Expression,
  type ExpressionNode,
  maskNode,
  type Node,
  textNode,
} from '../yaml/nodes.ts';

/** The value of a text with expressions: a node if the configuration states all of it, otherwise a hole. */
interface CombinedExpression {
  value: Hole | Sealed | Node;
  /** The fields of other resources from which a hole takes values. A node has them in itself. */
  copied: CopiedField[];
  /** The schema of the referenced field, if the whole text is one reference to a live field. */
  schema?: z.ZodType | undefined;
}

/**
 * Combines the parts of a field value with `${...}`, texts and expressions, into one value, after it resolved
 * the references in them. A value that is known only when it is sent is a hole: a placeholder that `apply`
 * fills. Returns undefined after it reported a problem, such as a list in the middle of a text, and for an
 * expression whose problem was reported before. `CombinedExpression` explains the result.
 */
export function combineParts(node: ExpressionNode, reading: FieldReading): CombinedExpression | undefined {
  const isReportedProblem = node.parts.length === 0;
  if (isReportedProblem) return undefined;
  const isWholeText = node.parts.length === 1;
  const parts: (Value | Node)[] = [];
  const copied: CopiedField[] = [];
  let liveSchema: z.ZodType | undefined;
  for (const textPart of node.parts) {
    if (typeof textPart === 'object' && textPart.type === 'ref') {
      const referenced = valueOfReference(textPart, reading);
      if (!referenced) return undefined;
      liveSchema = referenced.schema;
      if (liveSchema && !isWholeText && !mayBeText(liveSchema)) return reportNotText(node, reading);
      copied.push(...referenced.copied);
      parts.push(referenced.value);
    } else {
      const partValue = valueOfPart(textPart, node, reading);
      if (partValue === undefined) return undefined;
      parts.push(partValue);
    }
  }
  if (isWholeText) return { value: parts[0] as Hole | Node, copied, schema: liveSchema };
  const value = joinIntoText(parts, node, reading);
  return value && { value, copied };
}

/**
 * Returns the value of a reference in a text with `${...}`, the fields that it is copied from, and the schema of a field that only the
 * account has. Undefined after a report.
 */
function valueOfReference(
  { steps, at }: Extract<Expression, { type: 'ref' }>,
  { resolver }: FieldReading,
): CombinedExpression | undefined {
  const referenced = resolver.resolveReference(steps, textNode('', at));
  if (referenced === undefined) return undefined;
  const { value, live } = referenced;
  const isHoleNode = isYamlNode(value) && value.type === 'hole';
  // A live value comes from the account. A hole of the configuration, such as a secret, knows the field that it was copied from.
  const sources = [live?.from, isHoleNode ? value.from : undefined];
  return {
    value: isHoleNode ? value.hole : value,
    copied: sources.filter((source) => source !== undefined),
    schema: live?.schema,
  };
}

/**
 * Returns the value of one part of a text with `${...}`, if the part is no reference to a resource: its text,
 * or a placeholder (hole) for a secret, a lookup, or a value that the platform shows once. Returns undefined
 * after it added a field problem. A lookup whose answer can change on its own (`isMoving`) is
 * allowed only in the input of an action: a field would differ in every plan.
 */
function valueOfPart(
  part: string | Exclude<Expression, { type: 'ref' }>,
  node: ExpressionNode,
  { fieldProblems, allowsMovingLookups }: FieldReading,
): Value | Node | undefined {
  if (typeof part === 'string') return part;
  if (part.type === 'secret') return { $secret: part.name };
  if (part.type === 'shown') {
    // Only in the `value` of `$secretTo`, `withShownMembers` has set the hole.
    if (!part.hole)
      fieldProblems.push({
        code: 'expression/unknown',
        message: `\`\${${part.name}}\` has a meaning only in the \`value\` of \`$secretTo\``,
        path: [],
        node,
      });
    return part.hole;
  }
  const { name, attr, isOptional, isMoving } = part;
  if (!isMoving || allowsMovingLookups) return { $lookup: name, attr, ...(isOptional ? { isOptional } : {}) };
  fieldProblems.push({
    code: 'lookup/moves',
    message: `what the lookup ${quoted(name)} finds changes on its own, so it cannot be used in a field: the plan would never settle`,
    hint: 'use it in the input of an action, under `$then`',
    path: [],
    node,
  });
  return undefined;
}

/**
 * Joins the parts of a text with `${...}`, such as `https://${projects.web.id}.example`, into one value: a
 * text node if everything is known now, otherwise a hole with `$join`, whose pieces `apply` joins when it
 * sends the value. If a part is secret, the whole text is masked and sealed. Returns undefined after it
 * reported a part that is no text, or a text that is too long.
 */
function joinIntoText(
  parts: (Value | Node)[],
  node: ExpressionNode,
  reading: FieldReading,
): Hole | Node | undefined {
  const pieces = parts.map((part) => (isYamlNode(part) ? textOfPart(part) : part));
  if (!pieces.every((piece) => piece !== undefined)) return reportNotText(node, reading);
  const values = mergeTexts(pieces);
  if (amountOfValue(values).text > maxTextLength) return reportTooLong(node, values.some(isSecret), reading);
  // There were several parts, and only texts are merged. So a single value is a text that is known now.
  if (values.length === 1) return textNode(String(values[0]), node.at);
  // `shown`: a secret that the platform shows only once, in the `value` of `$secretTo`.
  const isShown = node.parts.some((part) => typeof part === 'object' && part.type === 'shown');
  const holdsSecretPart = isShown || values.some(isSecret);
  if (!holdsSecretPart) return { $join: values };
  // A text around a secret is as secret as the secret itself.
  maskNode(node);
  const secretName = values.find(isSecretRef)?.$secret;
  return {
    $join: values.map((value) => (typeof value === 'string' ? new Sealed(value, secretName) : value)),
  };
}

/**
 * Joins adjacent texts among the pieces of a value, so that the same text always has the same pieces; a plan
 * would otherwise see a difference. A referenced text may itself consist of pieces (`$join`); they are
 * inserted one by one.
 */
function mergeTexts(pieces: Value[]): Value[] {
  const merged: Value[] = [];
  // The pending value has the form of joined pieces too, but stays whole, because it is recognized by its identity.
  const flatPieces = pieces.flatMap((piece) =>
    isJoin(piece) && piece !== pendingValue ? piece.$join : [piece],
  );
  for (const value of flatPieces) {
    const previous = merged.at(-1);
    if (typeof value === 'string' && typeof previous === 'string')
      merged[merged.length - 1] = previous + value;
    else merged.push(value);
  }
  return merged;
}

/**
 * Returns the text of a value that may stand inside a text: a text or a number. Returns undefined for other values.
 */
const textOfPart = (node: Node): string | undefined =>
  node.type === 'scalar' && (typeof node.value === 'string' || typeof node.value === 'number')
    ? node.text
    : undefined;

/**
 * Adds a field problem for a reference to a value that is no text, such as a list, inside a longer
 * text: it cannot be joined with text, so it must be the whole value.
 */
function reportNotText(node: ExpressionNode, { fieldProblems }: FieldReading): undefined {
  fieldProblems.push({
    code: 'expression/not-text',
    message: 'the referenced value is not text, so it must be the whole value',
    path: [],
    node,
  });
}

/**
 * Adds a field problem for a text with references that exceeds the limit; references can multiply text.
 * With `holdsSecret`, the text is masked first, so that the message does not quote it.
 */
function reportTooLong(
  node: ExpressionNode,
  holdsSecret: boolean,
  { fieldProblems }: FieldReading,
): undefined {
  if (holdsSecret) maskNode(node);
  fieldProblems.push({
    code: 'expression/too-long',
    message: `this text has more than ${maxTextLength} characters`,
    path: [],
    node,
  });
}

/** True for a node of the YAML; false for a plain value or a hole. */
export const isYamlNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'at' in value;
