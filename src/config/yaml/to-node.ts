import {
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
import { type Diagnostic, problem } from '../../model/diagnostic.ts';
import { quoted } from '../suggest.ts';
import { type Entry, type MapNode, maxDepth, maxExpansion, type Node, type ScalarNode } from './nodes.ts';
import { positionOf, type Source, type Spot } from './source.ts';
import { tellYamlError } from './yaml-errors.ts';

const coreTags = /^tag:yaml\.org,2002:(str|int|float|bool|null|map|seq)$/;

type Ranged = { range?: [number, number, number] | null };

interface Built {
  node: Node;
  /** Nodes in it, every use of an alias counted. */
  size: number;
  height: number;
}

/** A parsed document as nodes: aliases resolved (shared, not copied), merges done, keys checked. */
export function toNode(contents: unknown, source: Source): { node?: Node; problems: Diagnostic[] } {
  const problems: Diagnostic[] = [];
  const anchors = new Map<string, Built | 'open'>();
  let expanded = 0;
  const stop = Symbol('stop');

  const spotOf = (node: Ranged): Spot => ({
    source,
    start: node.range?.[0] ?? 0,
    end: endOf(node),
  });
  const say = (code: string, message: string, at: Spot, hint?: string) =>
    problems.push(problem(code, message, { at: positionOf(at), hint }));
  const nothing = (at: Spot): Built => ({
    node: { type: 'scalar', at, text: '', value: null },
    size: 1,
    height: 1,
  });

  function build(yaml: ParsedNode | null, depth: number, missingAt: Spot): Built {
    if (yaml === null) return nothing(missingAt);
    const at = spotOf(yaml);
    if (isAlias(yaml)) return alias(yaml.source, at, depth);
    const anchor = (yaml as { anchor?: string }).anchor;
    if (anchor !== undefined) anchors.set(anchor, 'open');
    checkTag(yaml, at);
    if (depth > maxDepth) {
      say('yaml/depth', `this is nested more than ${maxDepth} levels deep`, at);
      throw stop;
    }
    const built = isMap(yaml)
      ? map(yaml as YAMLMap, at, depth)
      : isSeq(yaml)
        ? around(
            yaml.items.map((item) => build(item as ParsedNode, depth + 1, at)),
            (items) => ({ type: 'list', at, items }),
          )
        : { node: scalar(yaml as YamlScalar, at), size: 1, height: 1 };
    if (anchor !== undefined) anchors.set(anchor, built);
    return built;
  }

  // The parser knows more tags than the core schema has.
  function checkTag({ tag }: ParsedNode, at: Spot): void {
    if (tag !== undefined && !coreTags.test(tag)) {
      const { code, message, hint } = tellYamlError('TAG_RESOLVE_FAILED');
      const before = source.text.slice(Math.max(0, at.start - 200), at.start);
      const length = /!\S*\s*$/.exec(before)?.[0].length ?? 0;
      say(code, message, { ...at, start: at.start - length }, hint);
    }
  }

  function alias(name: string, at: Spot, depth: number): Built {
    const target = anchors.get(name);
    if (target === undefined) say('yaml/alias', `no anchor ${quoted(name)} stands before this alias`, at);
    else if (target === 'open')
      say('yaml/alias', `the alias ${quoted(name)} stands inside of its own anchor`, at);
    else {
      expanded += target.size;
      if (expanded > maxExpansion) {
        say('yaml/alias-limit', `the aliases up to here stand for more than ${maxExpansion} values`, at);
        throw stop;
      }
      if (depth + target.height > maxDepth) {
        say('yaml/depth', `with this alias, values are nested more than ${maxDepth} levels deep`, at);
        throw stop;
      }
      return target;
    }
    return nothing(at);
  }

  function map(yaml: YAMLMap, at: Spot, depth: number): Built {
    const own = new Map<string, Entry>();
    const merged = new Map<string, Entry>();
    const built: Built[] = [];
    let merges: Entry | undefined;
    for (const pair of yaml.items as Pair<ParsedNode | null, ParsedNode | null>[]) {
      const key = pair.key && keyOf(pair.key);
      if (!key) {
        say('yaml/key', 'a key must be a plain text', pair.key ? spotOf(pair.key) : at, 'put it in quotes');
        continue;
      }
      const value = placed(build(pair.value, depth + 1, key.at), pair.value, key.at);
      const entry = { key, value: value.node };
      const isMerge = key.text === '<<' && (pair.key as YamlScalar).type === 'PLAIN';
      const first = isMerge ? merges : own.get(key.text);
      if (key.text === '__proto__') say('yaml/key', 'this key is not allowed', key.at);
      else if (first)
        problems.push(
          problem('yaml/duplicate-key', `the key ${quoted(key.text)} stands twice`, {
            at: positionOf(key.at),
            hint: isMerge ? 'merge a list: `<<: [*one, *other]`' : 'keep one of the two',
            related: [{ message: 'the first one', at: positionOf(first.key.at) }],
          }),
        );
      else if (isMerge) {
        merges = entry;
        for (const item of merge(entry)) if (!merged.has(item.key.text)) merged.set(item.key.text, item);
      } else own.set(key.text, entry);
      built.push(value);
    }
    const entries = [...[...merged.values()].filter(({ key }) => !own.has(key.text)), ...own.values()];
    return around(built, () => ({ type: 'map', at, entries }));
  }

  function keyOf(yaml: ParsedNode): ScalarNode | undefined {
    if (isScalar(yaml)) return scalar(yaml, spotOf(yaml));
    const target = isAlias(yaml) ? anchors.get(yaml.source) : undefined;
    return typeof target === 'object' && target.node.type === 'scalar' ? target.node : undefined;
  }

  function merge({ key, value }: Entry): Entry[] {
    const sources = value.type === 'list' ? value.items : [value];
    const maps = sources.filter((item): item is MapNode => item.type === 'map');
    if (maps.length < sources.length)
      say('yaml/merge', '`<<` takes a map, or a list of maps', key.at, 'usually an alias: `<<: *name`');
    return maps.flatMap(({ entries }) => entries);
  }

  try {
    return { node: build(contents as ParsedNode, 1, { source, start: 0, end: 0 }).node, problems };
  } catch (error) {
    if (error !== stop) throw error;
    return { problems };
  }
}

const around = (built: Built[], node: (nodes: Node[]) => Node): Built => ({
  node: node(built.map((item) => item.node)),
  size: built.reduce((sum, { size }) => sum + size, 1),
  height: built.reduce((most, { height }) => Math.max(most, height), 0) + 1,
});

/** Where a node ends. One without brackets ends with what stands last in it, not with the comments behind. */
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
function placed(built: Built, yaml: ParsedNode | null, at: Spot): Built {
  const isWritten =
    isAlias(yaml) || built.node.type !== 'scalar' || built.node.text !== '' || built.node.value !== null;
  return isWritten ? built : { ...built, node: { ...built.node, at } as ScalarNode };
}

function scalar(yaml: YamlScalar, at: Spot): ScalarNode {
  const value = yaml.value as ScalarNode['value'];
  return { type: 'scalar', at, value, text: typeof value === 'string' ? value : (yaml.source ?? '') };
}
