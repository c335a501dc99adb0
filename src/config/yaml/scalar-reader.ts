import { CST, type ErrorCode } from 'yaml';
import { Reporter } from '../../model/diagnostic.ts';
import { quoted } from '../suggest.ts';
import {
  type Entry,
  itemsOrSelf,
  type MapNode,
  maxDepth,
  maxExpansion,
  type Node,
  type ScalarNode,
} from './nodes.ts';
import { plainValue } from './plain-value.ts';
import type { Source, Spot } from './source.ts';

/** Thrown to give up a file that is nested or expanded too far. */
export const giveUp = Symbol('give up');

const coreTag = /^!!(?:str|int|float|bool|null|map|seq)$/;

/** Builds the nodes of scalars and aliases, for the reader of collections that extends it. Terms: see `node-reader.ts`. */
export class ScalarReader {
  readonly report = new Reporter();
  protected readonly source: Source;
  protected anchors = new Anchors();
  /** The offset behind the last value or key that was read. */
  protected end = 0;

  constructor(source: Source) {
    this.source = source;
  }

  protected spot(start: number, end = start): Spot {
    return { source: this.source, start, end };
  }

  /**
   * Reports a tag of a YAML value that is not part of the core schema, such as `!include`: trueup would use
   * the plain value and ignore the tag.
   */
  protected checkTag({ source, offset }: CST.SourceToken): void {
    if (coreTag.test(source)) return;
    const { code, message, hint } = describeYamlError('TAG_RESOLVE_FAILED');
    this.report.error(code, message, { at: this.spot(offset), hint });
  }

  /** Builds the node of an empty value: null, or an empty text with the tag `!!str`. */
  protected emptyNode(offset: number, tag: CST.SourceToken | undefined): ScalarNode {
    this.end = offset;
    return { type: 'scalar', at: this.spot(offset), text: '', value: tag?.source === '!!str' ? '' : null };
  }

  /**
   * Builds the node of a YAML scalar from its token: its text, its value and its place. `tag`: a type such as
   * `!!str` in front of it; in quotes without a tag, in a block (`|`) or with that tag, the value is a text, even `"1"`.
   */
  protected readScalar(
    token: CST.FlowScalar | CST.BlockScalar,
    tag: CST.SourceToken | undefined,
  ): ScalarNode {
    // Without the tokens around it, the function takes some correct scalars for errors.
    const { value: text, range } = CST.resolveAsScalar(token, true, () => undefined);
    const end = range[1];
    this.end = end;
    const isString = tag ? tag.source === '!!str' : token.type !== 'scalar';
    return {
      type: 'scalar',
      at: this.spot(token.offset, end),
      text,
      value: isString ? text : plainValue(text),
    };
  }

  /**
   * Returns the node that an alias (`*name`) stands for: it repeats the value of the anchor (`&name`) in the
   * same document. Returns a null node after it reported an alias without an anchor or inside its own. Throws
   * `giveUp` after it reported that aliases multiply or nest values too much. `depth`: how deep the alias is
   * nested.
   */
  protected readAlias({ source, offset }: CST.FlowScalar, depth: number): Node {
    const name = source.slice(1);
    const aliasSpot = this.spot(offset, offset + source.length);
    this.end = aliasSpot.end;
    const node = this.anchors.expand(name, depth);
    if (typeof node === 'object') return node;
    if (node === 'too-large') {
      const message = `the aliases up to here expand to more than ${maxExpansion} values`;
      this.report.error('yaml/alias-limit', message, { at: aliasSpot });
      throw giveUp;
    }
    if (node === 'too-deep') {
      const message = `with this alias, values are nested more than ${maxDepth} levels deep`;
      this.report.error('yaml/depth', message, { at: aliasSpot });
      throw giveUp;
    }
    // In a data file the name may be a password that begins with `*`.
    const shownName = this.source.isQuoted ? quoted(name) : 'of this name';
    const message =
      node === 'open'
        ? `the alias ${quoted(name)} is inside its own anchor`
        : `no anchor ${shownName} is defined before this alias`;
    this.report.error('yaml/alias', message, { at: aliasSpot });
    this.anchors.count(depth);
    return { type: 'scalar', at: aliasSpot, text: '', value: null };
  }
}

/** An anchored node, the number of its values with every use of an alias counted, and the number of its levels. */
interface AnchoredNode {
  node: Node;
  size: number;
  height: number;
}

/** An anchored node that is being read, with the counts of the document at its start. */
interface OpenAnchor {
  name: string;
  depth: number;
  size: number;
  deepest: number;
}

/**
 * The anchors of one document. Counts its values and levels too: aliases can make a short text stand for billions of values, so the
 * reader has to refuse them in time.
 */
export class Anchors {
  readonly #nodes = new Map<string, AnchoredNode | 'open'>();
  #size = 0;
  #deepest = 0;
  #expanded = 0;

  /** Counts one value at a depth. */
  count(depth: number): void {
    this.#size++;
    if (depth > this.#deepest) this.#deepest = depth;
  }

  /**
   * Records that a node with the anchor `&name` begins, before the node itself is counted, and returns the
   * counts for `close`. Until then an alias `*name` is an error, because the node would contain itself. `depth`: how deep the node is
   * nested. From here on, `#deepest` is that of this node alone; `close` takes the deeper one of both again.
   */
  open(name: string, depth: number): OpenAnchor {
    const openAnchor = { name, depth, size: this.#size, deepest: this.#deepest };
    this.#nodes.set(name, 'open');
    this.#deepest = depth;
    return openAnchor;
  }

  /** Ends a node with an anchor: aliases behind it stand for `node`. */
  close({ name, depth, size, deepest }: OpenAnchor, node: Node): void {
    this.#nodes.set(name, { node, size: this.#size - size, height: this.#deepest - depth + 1 });
    this.#deepest = Math.max(this.#deepest, deepest);
  }

  /** Returns the scalar that an alias in the place of a key stands for. */
  scalarOf(name: string): Extract<Node, { type: 'scalar' }> | undefined {
    const anchored = this.#nodes.get(name);
    return typeof anchored === 'object' && anchored.node.type === 'scalar' ? anchored.node : undefined;
  }

  /**
   * Returns the node that an alias (`*name`) repeats. Its values count at every use, because a few lines with
   * aliases of aliases can stand for millions; they also count for an anchor around the alias. `depth`: how
   * deep the alias is nested. Returns the reason if there is no such node: no anchor of this name
   * (`missing`), an alias inside its own anchor (`open`), or a limit would be exceeded.
   */
  expand(name: string, depth: number): Node | 'missing' | 'open' | 'too-large' | 'too-deep' {
    const anchored = this.#nodes.get(name);
    if (anchored === undefined) return 'missing';
    if (anchored === 'open') return 'open';
    this.#expanded += anchored.size;
    if (this.#expanded > maxExpansion) return 'too-large';
    if (depth + anchored.height > maxDepth) return 'too-deep';
    this.#size += anchored.size;
    this.#deepest = Math.max(this.#deepest, depth + anchored.height - 1);
    return anchored.node;
  }
}

/** A complaint about YAML text, without its place. */
interface YamlProblem {
  code: string;
  message: string;
  hint?: string;
}

const yamlProblems: Partial<Record<ErrorCode, YamlProblem>> = {
  BAD_ALIAS: { code: 'yaml/alias', message: 'this alias cannot be understood' },
  BAD_DQ_ESCAPE: {
    code: 'yaml/syntax',
    message: 'this is not a valid escape sequence in double quotes',
    hint: 'write `\\\\`, or use single quotes',
  },
  BAD_INDENT: {
    code: 'yaml/syntax',
    message: 'the indentation does not match the surrounding lines',
    hint: 'align siblings in the same column; indent bracketed content further than its key',
  },
  BAD_SCALAR_START: {
    code: 'yaml/syntax',
    message: 'text cannot start with this character',
    hint: 'put it in quotes',
  },
  BLOCK_AS_IMPLICIT_KEY: {
    code: 'yaml/syntax',
    message: 'there is a second `: ` on this line',
    hint: 'quote text that contains `: `',
  },
  DUPLICATE_KEY: { code: 'yaml/duplicate-key', message: 'duplicate key' },
  KEY_OVER_1024_CHARS: { code: 'yaml/syntax', message: 'this key is too long' },
  MISSING_CHAR: {
    code: 'yaml/syntax',
    message: 'something is missing here: a `:` after a key, a comma between values or a space',
  },
  MULTILINE_IMPLICIT_KEY: {
    code: 'yaml/syntax',
    message: 'a key must be on one line, followed by `: `',
    hint: 'write a colon and a space after it: `KEY: value`',
  },
  RESOURCE_EXHAUSTION: { code: 'yaml/depth', message: 'this is nested too deeply' },
  TAB_AS_INDENT: { code: 'yaml/tab', message: 'tabs cannot be used for indentation', hint: 'use spaces' },
  TAG_RESOLVE_FAILED: {
    code: 'yaml/tag',
    message: 'custom tags are not supported',
    hint: 'remove the `!...`, or quote text that starts with `!`',
  },
};

/** Translates an error code of the YAML parser, for a diagnostic that is safe to print. */
export const describeYamlError = (code: ErrorCode): YamlProblem =>
  yamlProblems[code] ?? { code: 'yaml/syntax', message: 'this is not valid YAML' };

/** Collects the entries of one map while it is read: resolves `<<`, and reports repeated and dangerous keys. */
export class MapEntries {
  readonly #report: Reporter;
  readonly #written = new Map<string, Entry>();
  #merge: Entry | undefined;

  constructor(report: Reporter) {
    this.#report = report;
  }

  /**
   * Adds an entry to a YAML map that is being read, or reports a repeated key. `isPlainKey`: the key has no
   * quotes, so that `<<` is no ordinary key, but a merge: it takes over the entries of another map (`<<:
   * *name`).
   */
  add(entry: Entry, isPlainKey: boolean): void {
    const { key } = entry;
    const isMerge = isPlainKey && key.text === '<<';
    const firstEntry = isMerge ? this.#merge : this.#written.get(key.text);
    if (key.text === '__proto__') this.#report.error('yaml/key', 'this key is not allowed', { at: key });
    else if (firstEntry)
      this.#report.error('yaml/duplicate-key', `duplicate key ${quoted(key.text)}`, {
        at: key,
        hint: isMerge ? 'merge a list: `<<: [*one, *other]`' : 'keep one of the two',
        related: [{ message: 'the first one', at: firstEntry.key }],
      });
    else if (isMerge) {
      this.#merge = entry;
      this.#checkMerge(entry);
    } else this.#written.set(key.text, entry);
  }

  /**
   * Reports a merge (`<<`) whose value is no map and no list of maps. Usually the `*` of an alias is missing.
   */
  #checkMerge({ key, value }: Entry): void {
    if (mapsOf(value).length === itemsOrSelf(value).length) return;
    this.#report.error('yaml/merge', '`<<` must be a map or a list of maps', {
      at: key,
      hint: 'usually an alias: `<<: *name`',
    });
  }

  /**
   * Returns all entries of a YAML map: first those that it takes from another map with `<<: *name`, except
   * keys that it declares itself, then its own.
   */
  merged(): Entry[] {
    if (!this.#merge) return [...this.#written.values()];
    const merged = new Map<string, Entry>();
    for (const entry of mapsOf(this.#merge.value).flatMap(({ entries }) => entries))
      if (!merged.has(entry.key.text) && !this.#written.has(entry.key.text))
        merged.set(entry.key.text, entry);
    return [...merged.values(), ...this.#written.values()];
  }
}

/** The maps that `<<` merges. Of two maps with the same key, the first one counts. */
const mapsOf = (value: Entry['value']): MapNode[] => itemsOrSelf(value).filter((item) => item.type === 'map');
