import { type ParsedNode, parseAllDocuments } from 'yaml';
import { type Diagnostic, problem } from '../../model/diagnostic.ts';
import { NodeBuilder, stop, tellYamlError } from './node-builder.ts';
import type { Node } from './nodes.ts';
import type { Source } from './source.ts';

const manyErrors = 50;

const bareExpression = {
  code: 'yaml/expression',
  message: 'in brackets, `${...}` needs quotes',
  hint: 'write "${...}"; `trueup fmt` does this',
};

/**
 * The documents of a file, as nodes with places. Merges and aliases are resolved, repeated keys reported.
 * A file with a problem gives no documents at all: half of one could mean anything.
 */
export function carefulNodes(source: Source): { documents: Node[]; diagnostics: Diagnostic[] } {
  const parsed = parseAllDocuments(source.text, {
    prettyErrors: false,
    // Our own check names both places; this one takes quadratic time.
    uniqueKeys: false,
    stringKeys: false,
    version: '1.2',
    logLevel: 'silent',
  });
  const list = Array.isArray(parsed) ? parsed : [];
  const syntax = list.flatMap(({ errors, warnings }) => [...errors, ...warnings]);
  if (syntax.length > 0) source.broken = true;
  const diagnostics = syntax.slice(0, manyErrors).map((error) => {
    const { code, message, hint } = isBareExpression(source.text, error.pos[0])
      ? bareExpression
      : tellYamlError(error.code);
    return problem(code, message, { hint, at: source.position(error.pos[0]) });
  });
  if (source.broken) return { documents: [], diagnostics: onePerLine(diagnostics) };
  const documents: Node[] = [];
  for (const document of list) {
    if (!document.contents) continue;
    const { node, problems } = toNode(document.contents, source);
    diagnostics.push(...problems);
    if (node) documents.push(node);
  }
  if (diagnostics.length > 0) source.broken = true;
  return { documents: source.broken ? [] : documents, diagnostics };
}

// One mistake often makes the parser complain several times about the same place.
const onePerLine = (diagnostics: Diagnostic[]) =>
  diagnostics.filter(
    (d, i) => diagnostics.findIndex((diagnostic) => diagnostic.at?.line === d.at?.line) === i,
  );

/** The nodes of one parsed document; none where it was given up. */
function toNode(contents: unknown, source: Source): { node?: Node; problems: Diagnostic[] } {
  const problems: Diagnostic[] = [];
  try {
    return { node: new NodeBuilder(source, problems).document(contents as ParsedNode), problems };
  } catch (error) {
    if (error !== stop) throw error;
    return { problems };
  }
}

/** True if the parser stumbled over the `${` of an expression: in brackets it takes the `{` for another one. */
const isBareExpression = (text: string, index: number): boolean =>
  (text[index] === '{' && text[index - 1] === '$') || text.startsWith('${', index);

const options = { uniqueKeys: false, stringKeys: false, version: '1.2', logLevel: 'silent' } as const;
const most = 10_000;

/** The same text with quotes around the `${...}` in brackets that lack them; a text without any comes out as it is. */
export function quoteExpressions(text: string): string {
  let fixed = text;
  for (let i = 0; i < most; i++) {
    const parsed = parseAllDocuments(fixed, { ...options, prettyErrors: false });
    const errors = Array.isArray(parsed) ? parsed.flatMap((document) => document.errors) : [];
    const error = errors.find(({ pos }) => isBareExpression(fixed, pos[0]));
    if (!error) break;
    const next = quotedAt(fixed, error.pos[0]);
    if (next === undefined) break;
    fixed = next;
  }
  return fixed;
}

/** The text with quotes around the scalar that an expression at this offset is in; undefined if its end is not on the line. */
function quotedAt(text: string, index: number): string | undefined {
  let start = index;
  while (
    start > 0 &&
    !'[{,\n'.includes(text[start - 1]!) &&
    !/[:?-]\s/.test(text.slice(start - 1, start + 1))
  ) {
    start--;
    if (text[start] === '{' && text[start - 1] !== '$') return undefined;
  }
  start += /^\s*/.exec(text.slice(start, index))![0].length;
  let end = start;
  while (end < text.length && !',]}\n'.includes(text[end]!)) {
    if (!text.startsWith('${', end)) {
      end++;
      continue;
    }
    const close = text.indexOf('}', end);
    if (close === -1 || text.slice(end, close).includes('\n')) return undefined;
    end = close + 1;
  }
  const scalar = text.slice(start, end).trimEnd();
  if (!scalar.includes('${') || /^["']/.test(scalar)) return undefined;
  return text.slice(0, start) + JSON.stringify(scalar) + text.slice(start + scalar.length);
}
