import { isCollection, isScalar, parse, parseDocument, Scalar, visit } from 'yaml';
import { escapeRegExp } from '../model/address.ts';
import { shellWord } from '../model/diagnostic.ts';

/**
 * Lines of an example workflow, and the lines that replace them. Both are constants of this program; texts of a
 * repository go through `withWords`, because they have to be quoted.
 */
export type LineEdit = readonly [from: string, to: string];

/**
 * Replaces lines of an example workflow, each wherever it occurs, and returns the text. Throws if a line is
 * missing, because the example was changed and its edits were not. Used for variants of a workflow, such as the one
 * for several stacks.
 */
export function withLines(text: string, edits: readonly LineEdit[]): string {
  return edits.reduce((whole, [from, to]) => {
    if (!whole.includes(from)) throw new Error(`the workflow has no ${JSON.stringify(from)}`);
    return whole.replaceAll(from, () => to);
  }, text);
}

/** Words of a repository, such as the name of its branch, by the words of the example that they replace. */
interface WorkflowWords {
  /** Replaces YAML scalars (single values) that equal the word. */
  wholeScalars?: Record<string, string>;
  /** Replaces the word within YAML scalars, for example in a shell command. */
  wordsInScalars?: Record<string, string>;
}

/**
 * Puts words of a repository, such as the name of its branch, into an example workflow, and returns the text. Each
 * word stays within its YAML value, quoted if necessary, so that no word can change the workflow. `wholeScalars`
 * replaces whole values, `wordsInScalars` parts of values; the caller quotes words for the shell.
 */
export function withWords(text: string, words: WorkflowWords): string {
  const replacements: { from: number; to: number; written: string }[] = [];
  visit(parseDocument(text), (_, node, ancestors) => {
    if (!isScalar(node)) return;
    const [from, to] = node.range!;
    const isInFlow = ancestors.some((ancestor) => isCollection(ancestor) && ancestor.flow === true);
    const written = rewriteScalar(node, text.slice(from, to), words, isInFlow);
    if (written !== undefined) replacements.push({ from, to, written });
  });
  // From the end to the beginning, so that the remaining ranges stay valid.
  return replacements
    .sort((a, b) => b.from - a.from)
    .reduce((edited, { from, to, written }) => edited.slice(0, from) + written + edited.slice(to), text);
}

/**
 * Returns the YAML of a single value with its words replaced; undefined if it stays as it is. `raw`: its YAML so far, in which the words of
 * a block of lines (`|` or `>`) are replaced, because such a value is never quoted. Any other is quoted if it needs quotes.
 */
function rewriteScalar(
  scalar: Scalar,
  raw: string,
  { wholeScalars = {}, wordsInScalars = {} }: WorkflowWords,
  isInFlow: boolean,
): string | undefined {
  const { value } = scalar;
  if (typeof value !== 'string') return undefined;
  if (Object.hasOwn(wholeScalars, value)) return quoteInWorkflow(wholeScalars[value]!, isInFlow);
  if (!Object.keys(wordsInScalars).some((word) => raw.includes(word))) return undefined;
  return isBlockScalar(scalar)
    ? replaceWords(raw, wordsInScalars)
    : quoteInWorkflow(replaceWords(value, wordsInScalars), isInFlow);
}

/** True for a YAML text over several lines (`|` or `>`). Such a text is never quoted. */
const isBlockScalar = ({ type }: Scalar): boolean =>
  type === Scalar.BLOCK_LITERAL || type === Scalar.BLOCK_FOLDED;

/** Replaces all words in one pass, so that a word that was put in is not replaced again. */
const replaceWords = (text: string, words: Record<string, string>): string =>
  text.replace(new RegExp(Object.keys(words).map(escapeRegExp).join('|'), 'g'), (word) => words[word]!);

/**
 * Returns a word, such as the name of a branch, as YAML for a workflow that `init --ci` writes: plain if YAML reads
 * it as the same text, otherwise in quotes. `isInFlow`: it stands within `[...]` or `{...}`, where more characters
 * have a meaning.
 */
function quoteInWorkflow(text: string, isInFlow: boolean): string {
  try {
    const { key } = parse(isInFlow ? `{key: [${text}]}` : `key: ${text}`);
    if ((isInFlow ? key.length === 1 && key[0] : key) === text) return text;
  } catch {
    // It is no plain scalar.
  }
  return JSON.stringify(text);
}

/**
 * Returns a path from the top of the repository as a word for a shell. A path that begins with `-` gets `./`, so that
 * no program takes it for an option.
 */
export const shellPath = (path: string): string => shellWord(path.startsWith('-') ? `./${path}` : path);
