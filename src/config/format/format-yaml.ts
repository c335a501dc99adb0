import { CST, Lexer } from 'yaml';
import { type Diagnostic, problem } from '../../model/diagnostic.ts';
import { carefulNodes, quoteExpressions } from '../yaml/careful-nodes.ts';
import type { Node } from '../yaml/nodes.ts';
import { Source } from '../yaml/source.ts';
import { printLayout } from './print-layout.ts';
import { readLayout } from './read-layout.ts';

/** Either the formatted text, or why there is none: every problem with its place. */
type Formatted = { text: string; diagnostics?: never } | { text?: never; diagnostics: Diagnostic[] };

/**
 * The text of a YAML file in its normal form. Only what has no meaning changes: indentation, blanks, the kind of quotes, where
 * brackets are broken. Expressions in brackets get the quotes that they need. Line ends are all as the first one is. A file with errors has no normal form; and should the result say
 * anything else than the file, that is a fault here, and the file is to be left alone.
 */
export function formatYaml(written: Source): Formatted {
  const source = new Source(written.file, quoteExpressions(written.text));
  const before = contentOf(source);
  if (before.diagnostics.length > 0) {
    source.quote();
    return { diagnostics: before.diagnostics };
  }
  const end = /^[^\n]*\r\n/.test(source.text) ? '\r\n' : '\n';
  const formatted = printLayout(readLayout(source.text.replaceAll('\r\n', '\n')));
  const text = formatted.replaceAll('\n', end);
  const after = contentOf(new Source(source.file, text));
  if (after.content === before.content) return { text };
  return {
    diagnostics: [
      problem(
        'fmt/unfaithful',
        `formatting would change what ${source.file} means, so it was left unchanged`,
        {
          at: { file: source.file, line: 1, column: 1 },
          hint: 'this is a bug in trueup: please report it with the part of the file that causes it',
        },
      ),
    ],
  };
}

/** All that a file says, as one comparable text: scalars as they are read and as they are written, comments, anchors, markers. */
function contentOf(source: Source): { content: string; diagnostics: Diagnostic[] } {
  const { documents, diagnostics } = carefulNodes(source);
  if (diagnostics.length > 0) return { content: '', diagnostics };
  return { content: JSON.stringify([documents.map(plainOf), besideValues(source.text)]), diagnostics };
}

function plainOf(node: Node): unknown {
  if (node.type === 'list') return node.items.map(plainOf);
  if (node.type === 'map')
    return { map: node.entries.map(({ key, value }) => [plainOf(key), plainOf(value)]) };
  return node.type === 'scalar' ? { text: node.text, value: node.value } : node;
}

const kept = ['comment', 'anchor', 'alias', 'tag', 'doc-start', 'doc-end', 'directive-line'];

/**
 * Sorted, since a comment behind a bracket that is dropped moves up. Scalars are counted, since the parser passes over some that
 * stand where none may.
 */
function besideValues(text: string): { kept: string[]; scalars: number } {
  const found: string[] = [];
  let scalars = 0;
  let isScalar = false;
  for (const lexeme of new Lexer().lex(text)) {
    const type = isScalar ? 'scalar' : (CST.tokenType(lexeme) ?? '');
    if (kept.includes(type)) found.push(lexeme.trimEnd());
    else if (type.endsWith('scalar') && lexeme !== CST.SCALAR) scalars++;
    isScalar = lexeme === CST.SCALAR;
  }
  return { kept: found.sort(), scalars };
}
