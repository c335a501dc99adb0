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
import { type CopiedField, type ExpressionNode, maskNode, type Node } from '../yaml/nodes.ts';

/** The value of a text with expressions: a node if the configuration states all of it, otherwise a hole. */
interface CombinedExpression {
  value: Hole | Sealed | Node;
  /** The fields of other resources from which a hole takes values. A node has them in itself. */
  copied: CopiedField[];
  /** The schema of the referenced field, if the whole text is one reference to a live field. */
  schema?: z.ZodType | undefined;
}

/**
 * Combines the parts of a text with expressions into one value, after resolving references. Returns undefined after a problem was
 * reported, for example if a list stands in the middle of a text. If a part is secret, the whole text is masked and sealed.
 */
export function combineParts(node: ExpressionNode, reading: FieldReading): CombinedExpression | undefined {
  if (node.parts.length === 0) return undefined;
  const parts: (Value | Node)[] = [];
  const copied: CopiedField[] = [];
  let schema: z.ZodType | undefined;
  for (const part of node.parts) {
    if (typeof part === 'string') parts.push(part);
    else if (part.type === 'secret') parts.push({ $secret: part.name });
    else if (part.type === 'shown') {
      if (!part.hole) {
        reading.findings.push({
          code: 'expression/unknown',
          message: `\`\${${part.name}}\` has a meaning only in the \`value\` of \`$secretTo\``,
          path: [],
          node,
        });
        return undefined;
      }
      parts.push(part.hole);
    } else if (part.type === 'lookup') {
      const { name, attr, isOptional, isMoving } = part;
      if (isMoving && !reading.allowsMovingLookups) {
        reading.findings.push({
          code: 'lookup/moves',
          message: `what the lookup ${quoted(name)} finds changes on its own, so it cannot be used in a field: the plan would never settle`,
          hint: 'use it in the input of an action, under `$then`',
          path: [],
          node,
        });
        return undefined;
      }
      parts.push({ $lookup: name, attr, ...(isOptional ? { isOptional } : {}) });
    } else {
      const referenced = reading.resolver.resolveReference(part.steps, {
        type: 'scalar',
        at: part.at,
        text: '',
        value: '',
      });
      if (referenced === undefined) return undefined;
      const { value, live } = referenced;
      const isHoleNode = isNode(value) && value.type === 'hole';
      if (live) copied.push(live.from);
      if (isHoleNode && value.from) copied.push(value.from);
      schema = live?.schema;
      if (schema && node.parts.length > 1 && !mayBeText(schema)) return reportNotText(node, reading);
      parts.push(isHoleNode ? value.hole : value);
    }
  }
  const [firstPart] = parts;
  if (parts.length === 1) return { value: firstPart as Hole | Node, copied, schema };
  const pieces = parts.map((part) => (isNode(part) ? textOfPart(part) : part));
  if (!pieces.every((piece) => piece !== undefined)) return reportNotText(node, reading);
  const values = mergeTexts(pieces);
  if (amountOfValue(values).text > maxTextLength) return reportTooLong(node, values.some(isSecret), reading);
  if (values.length === 1) {
    const text = String(values[0]);
    return { value: { type: 'scalar', at: node.at, text, value: text }, copied };
  }
  const isShown = node.parts.some((part) => typeof part === 'object' && part.type === 'shown');
  if (!values.some(isSecret) && !isShown) return { value: { $join: values }, copied };
  // A text around a secret is as secret as the secret itself.
  maskNode(node);
  const secretName = values.find(isSecretRef)?.$secret;
  const sealed = values.map((value) => (typeof value === 'string' ? new Sealed(value, secretName) : value));
  return { value: { $join: sealed }, copied };
}

/** Joins adjacent texts. The pieces of a referenced text become pieces of this one, because texts can refer to each other at any depth. */
function mergeTexts(pieces: Value[]): Value[] {
  const merged: Value[] = [];
  for (const value of pieces.flatMap((value) =>
    isJoin(value) && value !== pendingValue ? value.$join : [value],
  )) {
    const previous = merged.at(-1);
    if (typeof value === 'string' && typeof previous === 'string')
      merged[merged.length - 1] = previous + value;
    else merged.push(value);
  }
  return merged;
}

/** Returns the text of a value that may be part of a text: a text or a number. Undefined for any other value. */
const textOfPart = (node: Node): string | undefined =>
  node.type === 'scalar' && (typeof node.value === 'string' || typeof node.value === 'number')
    ? node.text
    : undefined;

/** Reports a part that is no text and therefore must be the whole value. */
function reportNotText(node: ExpressionNode, { findings }: FieldReading): undefined {
  findings.push({
    code: 'ref/not-text',
    message: 'the referenced value is not text, so it must be the whole value',
    path: [],
    node,
  });
}

/** Reports a combined text that exceeds the limit, masked if it holds a secret. */
function reportTooLong(node: ExpressionNode, holdsSecret: boolean, { findings }: FieldReading): undefined {
  if (holdsSecret) maskNode(node);
  findings.push({
    code: 'expression/too-long',
    message: `this text has more than ${maxTextLength} characters`,
    path: [],
    node,
  });
}

/** True for a node of the YAML; false for a plain value. */
export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'at' in value;
