import { isScalar, parseDocument } from 'yaml';
import { parseExpressions } from '../config/expressions/parse-expressions.ts';
import { type Node as ReadNode, spotsIn } from '../config/yaml/nodes.ts';
import type { Spot } from '../config/yaml/source.ts';
import { unescapeText } from './format-yaml-text.ts';
import { scalarText } from './yaml-file.ts';

/*
 * Finds the data from which expressions make a value, and computes what the data has to be so that the value becomes another one.
 *
 *   origin    the place of that data: a cell, a variable, or an input of a template
 *   step      a text with an expression on the way from the field to the origin: `https://${input.host}` in a template, then `${each.value.host}`
 *             in the `$use` of a block
 *   frame     the text around the expressions of all steps. With the frame `https://` and nothing behind it, the value `https://a.example`
 *             needs the data `a.example`
 *
 * Premise: the reader of the configuration keeps the places from which a text came in `literals`, from the field to the data. That order
 * describes one way only if each step has one expression and no filter. So the text is computed again from the data, and must be the same.
 */

/** The place of the data that a value comes from. */
export interface ValueOrigin {
  spot: Spot;
  /** The value there; a list or map with the places of its members. */
  node: ReadNode;
  /** Returns the data that makes a text, or undefined if no data can. */
  dataFor(text: string): string | undefined;
  /** True if an expression on the way takes no value (`${x?}`), so that the data may be removed. */
  isOptional: boolean;
  /** True if expressions lead from the field to the data. */
  isFromExpression: boolean;
}

/** The reason why a value does not come from one place of data in a way that can be reversed. */
export interface NoOrigin {
  reason: string;
}

/**
 * Returns the origin of a value (the data that makes it), so that `accept` can write a new value there, or the reason why there is none;
 * undefined for a value that is no data, such as a secret or a reference. A text has the places that it was read through, in this order:
 * `web-${var.name}` in the block, `${var.base}-app` in the variable `name`, at last the data of `base`. `dataFor` takes the texts around
 * all expressions (`web-` and `-app`) off a new value.
 */
export function findOrigin(node: ReadNode): ValueOrigin | NoOrigin | undefined {
  // A list or map is no text, so no text around an expression can be taken off.
  if (node.type === 'list' || node.type === 'map')
    return { spot: node.at, node, dataFor: () => undefined, isOptional: false, isFromExpression: false };
  if (node.type !== 'scalar') return undefined;
  const spotsFromBlockToData = spotsIn(node);
  const origin = spotsFromBlockToData.at(-1)!;
  if (origin.source.file === '') return { reason: 'a flag or an environment variable sets it' };
  const steps = spotsFromBlockToData.slice(0, -1).map(readExpressionStep);
  const failedStep = steps.find((step) => 'reason' in step);
  if (failedStep) return failedStep;
  const validSteps = steps as ExpressionStep[];
  const isFromExpression = validSteps.length > 0;
  // The texts of the first step stand around those of the second one, and so on. So the last step's text is the first one behind the data.
  const before = validSteps.map((step) => step.before).join('');
  const after = validSteps
    .map((step) => step.after)
    .reverse()
    .join('');
  const text = textAt(origin);
  // If the data in this frame makes another text, the value does not come from this data alone.
  const makesValue = !isFromExpression || `${before}${text}${after}` === node.text;
  if (text === undefined || !makesValue) return { reason: severalValuesReason };
  return {
    spot: origin,
    node,
    dataFor: (value) =>
      value.length >= before.length + after.length && value.startsWith(before) && value.endsWith(after)
        ? value.slice(before.length, value.length - after.length)
        : undefined,
    isOptional: validSteps.some((step) => step.isOptional),
    isFromExpression,
  };
}

const severalValuesReason = 'it is put together from several values';

/** A text with one expression, and the text around it. */
interface ExpressionStep {
  before: string;
  after: string;
  isOptional: boolean;
}

/**
 * Reads the expression at a spot, to write a new value back through it: from `web-${stage}`, the texts before and after the expression.
 * Returns the reason if the value does not show what the expression had, because the text cannot be read, or has several expressions or a
 * filter.
 */
function readExpressionStep(spot: Spot): ExpressionStep | NoOrigin {
  const text = textAt(spot, { isRaw: true });
  if (text === undefined) return { reason: severalValuesReason };
  const parts = parseExpressions(text);
  const expressions = parts.flatMap((part) => (typeof part === 'string' ? [] : [part]));
  const [expression] = expressions;
  if (!expression || expressions.length > 1 || 'error' in expression) return { reason: severalValuesReason };
  if (expression.filters) return { reason: `the filter in \`${expression.text}\` cannot be reversed` };
  const index = parts.indexOf(expression);
  return {
    before: (parts[index - 1] as string | undefined) ?? '',
    after: (parts[index + 1] as string | undefined) ?? '',
    isOptional: expression.isOptional === true,
  };
}

/**
 * Returns the text at a place of a file, without quotes: that of a cell, or of a scalar in YAML or JSON. `accept` compares it with a value
 * to find out if the value comes from there. `isRaw`: with escaped expressions as they are written.
 */
function textAt({ source, start, end, cell }: Spot, { isRaw = false } = {}): string | undefined {
  const written = source.text.slice(cell?.start ?? start, cell?.end ?? end);
  if (cell) return written.startsWith('"') ? written.slice(1, -1).replaceAll('""', '"') : written;
  // Only the row of the cell is known.
  if (/\.csv$/i.test(source.file)) return undefined;
  const { contents, errors } = parseDocument(written, { logLevel: 'silent', version: '1.2' });
  if (errors.length > 0 || !isScalar(contents)) return undefined;
  const text = scalarText(contents);
  return isRaw ? text : unescapeText(text);
}
