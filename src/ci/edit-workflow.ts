import { isCollection, isScalar, parse, parseDocument, Scalar, visit } from 'yaml';
import { escapeRegExp } from '../model/address.ts';
import { shellWord } from '../model/shell-word.ts';

/** Lines of a workflow, and those in their place. Both are ours: no text of a repository is in them. */
export type LineEdit = readonly [from: string, to: string];

/** Replaces lines, each wherever it stands. Throws where one is not there: the workflow was changed, and the edit was not. */
export function withLines(text: string, edits: readonly LineEdit[]): string {
  return edits.reduce((whole, [from, to]) => {
    if (!whole.includes(from)) throw new Error(`the workflow has no ${JSON.stringify(from)}`);
    return whole.replaceAll(from, () => to);
  }, text);
}

/** Words of a repository that take the place of words of the workflow. */
interface WorkflowWords {
  /** For scalars that are this word. */
  whole?: Record<string, string>;
  /** For this text within a scalar. */
  part?: Record<string, string>;
}

/**
 * Puts words of a repository into a workflow: whatever is in them, each stays within its scalar, in quotes where it has to be. What it
 * means there, to a shell for instance, is for whoever gives it to know.
 */
export function withWords(text: string, { whole = {}, part = {} }: WorkflowWords): string {
  const found: { from: number; to: number; written: string }[] = [];
  visit(parseDocument(text), (_, node, way) => {
    if (!isScalar(node) || typeof node.value !== 'string') return;
    const [from, to] = node.range!;
    const raw = text.slice(from, to);
    const isInFlow = way.some((one) => isCollection(one) && one.flow === true);
    const plain = (word: string) => quoteInWorkflow(word, isInFlow);
    if (Object.hasOwn(whole, node.value)) found.push({ from, to, written: plain(whole[node.value]!) });
    else if (Object.keys(part).some((word) => raw.includes(word)))
      found.push({
        from,
        to,
        written: isBlockScalar(node) ? putIn(raw, part) : plain(putIn(node.value, part)),
      });
  });
  return found
    .sort((a, b) => b.from - a.from)
    .reduce((now, { from, to, written }) => now.slice(0, from) + written + now.slice(to), text);
}

const isBlockScalar = ({ type }: Scalar): boolean =>
  type === Scalar.BLOCK_LITERAL || type === Scalar.BLOCK_FOLDED;

/** In one go: what was put in is not looked at again. */
const putIn = (text: string, words: Record<string, string>): string =>
  text.replace(new RegExp(Object.keys(words).map(escapeRegExp).join('|'), 'g'), (word) => words[word]!);

/** As it is where that is read as this text, else in quotes. */
function quoteInWorkflow(text: string, isInFlow: boolean): string {
  try {
    const { key } = parse(isInFlow ? `{key: [${text}]}` : `key: ${text}`);
    if ((isInFlow ? key.length === 1 && key[0] : key) === text) return text;
  } catch {
    // It is no plain scalar.
  }
  return JSON.stringify(text);
}

/** A path from the top of the repository as a word for a shell that no program takes for an option. */
export const shellPath = (path: string): string => shellWord(path.startsWith('-') ? `./${path}` : path);
