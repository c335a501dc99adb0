import { Sealed } from '../../model/sealed.ts';
import { type Hole, isSecret, isSecretRef, type Value } from '../../model/value.ts';
import type { Reading } from '../fields/reading.ts';
import { quoted } from '../suggest.ts';
import { type ExpressionNode, maskNode, type Node } from '../yaml/nodes.ts';

/** A text with expressions as a hole, or as a node if all of it is known after all; undefined where a problem was reported. */
export function holeOf(node: ExpressionNode, reading: Reading): Hole | Sealed | Node | undefined {
  if (node.parts.length === 0) return undefined;
  const parts: (Value | Node)[] = [];
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
      if (isMoving && !reading.takesMoving) {
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
      const found = reading.resolver.reference(part.steps, {
        type: 'scalar',
        at: part.at,
        text: '',
        value: '',
      });
      if (found === undefined) return undefined;
      parts.push(isNode(found) && found.type === 'hole' ? found.hole : found);
    }
  }
  const [only] = parts;
  if (parts.length === 1) return only as Hole | Node;
  const values: Value[] = [];
  for (const part of parts) {
    const value = isNode(part)
      ? part.type === 'scalar' && part.value !== null
        ? part.text
        : undefined
      : part;
    if (value === undefined) {
      reading.findings.push({
        code: 'ref/not-text',
        message: 'the referenced value is not text, so it must be the whole value',
        path: [],
        node,
      });
      return undefined;
    }
    if (typeof value === 'string' && typeof values.at(-1) === 'string')
      values.push(`${values.pop()}${value}`);
    else values.push(value);
  }
  if (values.length === 1)
    return { type: 'scalar', at: node.at, text: String(values[0]), value: String(values[0]) };
  const isShown = node.parts.some((part) => typeof part === 'object' && part.type === 'shown');
  if (!values.some(isSecret) && !isShown) return { $join: values };
  // Part of a secret text, or of a text around a secret: as secret as the rest.
  maskNode(node);
  const named = values.find(isSecretRef)?.$secret;
  return { $join: values.map((value) => (typeof value === 'string' ? new Sealed(value, named) : value)) };
}

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'at' in value;
