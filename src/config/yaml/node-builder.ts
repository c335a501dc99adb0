import {
  type ErrorCode,
  isAlias,
  isCollection,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type Pair,
  type ParsedNode,
  type YAMLMap,
  type Scalar as YamlScalar,
} from 'yaml';
import { type Diagnostic, Reporter } from '../../model/diagnostic.ts';
import { quoted } from '../suggest.ts';
import { type Entry, type MapNode, maxDepth, maxExpansion, type Node, type ScalarNode } from './nodes.ts';
import type { Source, Spot } from './source.ts';

const coreTags = /^tag:yaml\.org,2002:(str|int|float|bool|null|map|seq)$/;

type Ranged = { range?: [number, number, number] | null };

interface Built {
  node: Node;
  /** Nodes in it, every use of an alias counted. */
  size: number;
  height: number;
}

/** Thrown where a document is given up. */
export const stop = Symbol('stop');

/** Builds the nodes of one parsed document; throws `stop` where it is nested or expanded too far. */
export class NodeBuilder {
  readonly #source: Source;
  readonly #report: Reporter;
  readonly #anchors = new Map<string, Built | 'open'>();
  #expanded = 0;

  constructor(source: Source, problems: Diagnostic[]) {
    this.#source = source;
    this.#report = new Reporter(problems);
  }

  document(contents: ParsedNode): Node {
    return this.#build(contents, 1, { source: this.#source, start: 0, end: 0 }).node;
  }

  #spotOf(node: Ranged): Spot {
    return { source: this.#source, start: node.range?.[0] ?? 0, end: endOf(node) };
  }

  #build(yaml: ParsedNode | null, depth: number, missingAt: Spot): Built {
    if (yaml === null) return nothingAt(missingAt);
    const spot = this.#spotOf(yaml);
    if (isAlias(yaml)) return this.#alias(yaml.source, spot, depth);
    const anchor = (yaml as { anchor?: string }).anchor;
    if (anchor !== undefined) this.#anchors.set(anchor, 'open');
    this.#checkTag(yaml, spot);
    if (depth > maxDepth) {
      this.#report.error('yaml/depth', `this is nested more than ${maxDepth} levels deep`, { at: spot });
      throw stop;
    }
    const built = isMap(yaml)
      ? this.#map(yaml as YAMLMap, spot, depth)
      : isSeq(yaml)
        ? around(
            yaml.items.map((item) => this.#build(item as ParsedNode, depth + 1, spot)),
            (items) => ({ type: 'list', at: spot, items }),
          )
        : alone(scalar(yaml as YamlScalar, spot));
    if (anchor !== undefined) this.#anchors.set(anchor, built);
    return built;
  }

  // The parser knows more tags than the core schema has.
  #checkTag({ tag }: ParsedNode, spot: Spot): void {
    if (tag === undefined || coreTags.test(tag)) return;
    const { code, message, hint } = tellYamlError('TAG_RESOLVE_FAILED');
    const before = this.#source.text.slice(Math.max(0, spot.start - 200), spot.start);
    const length = /!\S*\s*$/.exec(before)?.[0].length ?? 0;
    this.#report.error(code, message, { at: { ...spot, start: spot.start - length }, hint });
  }

  #alias(name: string, spot: Spot, depth: number): Built {
    const target = this.#anchors.get(name);
    if (target === undefined)
      // In a data file it may be a password that begins with `*`.
      this.#report.error(
        'yaml/alias',
        `no anchor ${this.#source.isQuoted ? quoted(name) : 'of this name'} is defined before this alias`,
        { at: spot },
      );
    else if (target === 'open')
      this.#report.error('yaml/alias', `the alias ${quoted(name)} is inside its own anchor`, { at: spot });
    else {
      this.#expanded += target.size;
      if (this.#expanded > maxExpansion) {
        this.#report.error(
          'yaml/alias-limit',
          `the aliases up to here expand to more than ${maxExpansion} values`,
          { at: spot },
        );
        throw stop;
      }
      if (depth + target.height > maxDepth) {
        this.#report.error(
          'yaml/depth',
          `with this alias, values are nested more than ${maxDepth} levels deep`,
          { at: spot },
        );
        throw stop;
      }
      return target;
    }
    return nothingAt(spot);
  }

  #map(yaml: YAMLMap, spot: Spot, depth: number): Built {
    const own = new Map<string, Entry>();
    const merged = new Map<string, Entry>();
    const built: Built[] = [];
    let merges: Entry | undefined;
    for (const pair of yaml.items as Pair<ParsedNode | null, ParsedNode | null>[]) {
      const key = pair.key && this.#keyOf(pair.key);
      if (!key) {
        this.#report.error('yaml/key', 'a key must be plain text', {
          at: pair.key ? this.#spotOf(pair.key) : spot,
          hint: 'put it in quotes',
        });
        continue;
      }
      const value = placed(this.#build(pair.value, depth + 1, key.at), pair.value, key.at);
      const entry = { key, value: value.node };
      const isMerge = key.text === '<<' && (pair.key as YamlScalar).type === 'PLAIN';
      const first = isMerge ? merges : own.get(key.text);
      if (key.text === '__proto__') this.#report.error('yaml/key', 'this key is not allowed', { at: key });
      else if (first)
        this.#report.error('yaml/duplicate-key', `duplicate key ${quoted(key.text)}`, {
          at: key,
          hint: isMerge ? 'merge a list: `<<: [*one, *other]`' : 'keep one of the two',
          related: [{ message: 'the first one', at: first.key }],
        });
      else if (isMerge) {
        merges = entry;
        for (const item of this.#merge(entry))
          if (!merged.has(item.key.text)) merged.set(item.key.text, item);
      } else own.set(key.text, entry);
      built.push(value);
    }
    const entries = [...[...merged.values()].filter(({ key }) => !own.has(key.text)), ...own.values()];
    return around(built, () => ({ type: 'map', at: spot, entries }));
  }

  #keyOf(yaml: ParsedNode): ScalarNode | undefined {
    if (isScalar(yaml)) return scalar(yaml, this.#spotOf(yaml));
    const target = isAlias(yaml) ? this.#anchors.get(yaml.source) : undefined;
    return typeof target === 'object' && target.node.type === 'scalar' ? target.node : undefined;
  }

  #merge({ key, value }: Entry): Entry[] {
    const sources = value.type === 'list' ? value.items : [value];
    const maps = sources.filter((item): item is MapNode => item.type === 'map');
    if (maps.length < sources.length)
      this.#report.error('yaml/merge', '`<<` must be a map or a list of maps', {
        at: key,
        hint: 'usually an alias: `<<: *name`',
      });
    return maps.flatMap(({ entries }) => entries);
  }
}

const alone = (node: Node): Built => ({ node, size: 1, height: 1 });
const nothingAt = (spot: Spot): Built => alone({ type: 'scalar', at: spot, text: '', value: null });

const around = (built: Built[], node: (nodes: Node[]) => Node): Built => ({
  node: node(built.map((item) => item.node)),
  size: built.reduce((sum, { size }) => sum + size, 1),
  height: built.reduce((most, { height }) => Math.max(most, height), 0) + 1,
});

/** The end of a node. One without brackets ends with what stands last in it, not with the comments behind. */
function endOf(node: Ranged): number {
  const last = isCollection(node) && !node.flow ? node.items.at(-1) : undefined;
  if (isPair(last)) {
    const { key, value } = last as Pair<Ranged, Ranged | null>;
    return endOf(!value || isUnwritten(value) ? key : value);
  }
  return last ? endOf(last as Ranged) : (node.range?.[1] ?? 0);
}

const isUnwritten = (node: unknown): boolean => isScalar(node) && node.value === null && node.source === '';

/** A value that is not written at all stands where its key does. */
function placed(built: Built, yaml: ParsedNode | null, spot: Spot): Built {
  const isWritten =
    isAlias(yaml) || built.node.type !== 'scalar' || built.node.text !== '' || built.node.value !== null;
  return isWritten ? built : { ...built, node: { ...built.node, at: spot } as ScalarNode };
}

function scalar(yaml: YamlScalar, spot: Spot): ScalarNode {
  const value = yaml.value as ScalarNode['value'];
  return { type: 'scalar', at: spot, value, text: typeof value === 'string' ? value : (yaml.source ?? '') };
}

type Told = { code: string; message: string; hint?: string };

// In our own words, since the parser's own messages may quote what stands there, which may be a secret.
const told: Partial<Record<ErrorCode, Told>> = {
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
    message: 'something is missing here: a `:` after a key, a closing quote or a closing bracket',
  },
  MULTILINE_IMPLICIT_KEY: {
    code: 'yaml/syntax',
    message: 'a key must be on one line, followed by `:`',
  },
  RESOURCE_EXHAUSTION: { code: 'yaml/depth', message: 'this is nested too deeply' },
  TAB_AS_INDENT: { code: 'yaml/tab', message: 'tabs cannot be used for indentation', hint: 'use spaces' },
  TAG_RESOLVE_FAILED: {
    code: 'yaml/tag',
    message: 'custom tags are not supported',
    hint: 'remove the `!...`, or quote text that starts with `!`',
  },
};

/** Says what is wrong where the YAML parser found a problem. */
export const tellYamlError = (code: ErrorCode): Told =>
  told[code] ?? { code: 'yaml/syntax', message: 'this is not valid YAML' };
