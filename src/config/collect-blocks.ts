import { childKinds, namesOf } from '../kind/define-kind.ts';
import type { Kind, Kinds } from '../kind/kind.ts';
import { addressOf, escapeName } from '../model/address.ts';
import { type Diagnostic, problem } from '../model/diagnostic.ts';
import type { Value } from '../model/value.ts';
import type { Block } from './block.ts';
import {
  describe,
  type Entry,
  isNull,
  isPoisoned,
  maskNode,
  type Node,
  nodeOf,
  type ScalarNode,
} from './nodes.ts';
import { positionOf, type Spot } from './source.ts';
import { hintFor, quoted } from './suggest.ts';

/** A section, and the number of the document that it stands in. */
export interface Section {
  kind: Kind;
  section: Node;
  /** The key of the section. */
  at: Spot;
  document: number;
}

/**
 * The blocks of all sections, parents before children. Several documents may hold parts of one block: one of them is its home,
 * the others have child sections of it only.
 */
export function collectBlocks(kinds: Kinds, sections: Section[], diagnostics: Diagnostic[]): Block[] {
  const blocks: Block[] = [];
  const say = (code: string, message: string, at: Spot, hint?: string) =>
    diagnostics.push(problem(code, message, { at: positionOf(at), hint }));

  function visit(parent: Block | undefined, sections: Section[]): void {
    for (const kind of childKinds(kinds, parent?.kind.name)) {
      const parts = sections.filter((section) => section.kind === kind);
      if (kind.ordered && parts.length > 1)
        diagnostics.push(
          problem(
            'config/split-order',
            `the list \`${kind.section}\` stands in two places, but its order matters`,
            {
              at: positionOf(parts[1]!.at),
              related: [{ message: 'the first one', at: positionOf(parts[0]!.at) }],
            },
          ),
        );
      const found = new Map<string, Block>();
      let index = 0;
      for (const part of parts)
        for (const entry of entriesOf(part)) {
          const block = blockOf(entry, kind, parent, part.document, index++);
          if (!block) continue;
          const isShared = kind.key.length === 0 || (entry.key !== undefined && !kind.rows);
          const identity = isShared ? block.address : `${block.address}#${index}`;
          const first = found.get(identity);
          if (first) join(first, block);
          else found.set(identity, block);
        }
      for (const block of found.values()) {
        blocks.push(block);
        visit(block, block.sections);
      }
    }
  }

  function entriesOf({ kind, section, at }: Section): { key?: ScalarNode; node: Node; at: Spot }[] {
    if (kind.key.length === 0) return [{ node: section, at }];
    if (isPoisoned(section)) return [];
    if (isNull(section)) {
      say(
        'config/null-section',
        `\`${kind.section}\` is empty`,
        section.at,
        `write \`${kind.section}: ${kind.mapBy ? '{}' : '[]'}\` if it is empty on purpose, or leave it out`,
      );
      return [];
    }
    if (!kind.mapBy) {
      if (section.type === 'list') return section.items.map((node) => ({ node, at: node.at }));
      say(
        'config/type',
        `\`${kind.section}\` takes a list, not ${describe(section)}`,
        section.at,
        'each entry begins with `- `',
      );
      return [];
    }
    if (section.type !== 'map') {
      say(
        'config/type',
        `\`${kind.section}\` takes a map, not ${describe(section)}`,
        section.at,
        `one entry for each \`${kind.mapBy}\``,
      );
      maskNode(section);
      return [];
    }
    return section.entries.flatMap(({ key, value }) => {
      if (key.unusable) return [];
      const nodes = kind.manyPerKey && value.type === 'list' ? value.items : [value];
      return nodes.map((node) => ({ key, node, at: value.type === 'list' ? node.at : key.at }));
    });
  }

  function blockOf(
    { key, node, at }: { key?: ScalarNode; node: Node; at: Spot },
    kind: Kind,
    parent: Block | undefined,
    document: number,
    index: number,
  ): Block | undefined {
    const children = new Map(childKinds(kinds, kind.name).map((child) => [child.section, child]));
    const block: Block = {
      kind,
      parent,
      address: addressOf(
        parent?.address,
        kind.section,
        key ? keyNames(kind, key.text) : kind.key.length === 0 ? [] : [`#${index}`],
      ),
      key,
      at,
      position: positionOf(at),
      own: key ? [{ key: { ...key, text: kind.mapBy! }, value: key }] : [],
      meta: [],
      sections: [],
      document,
      index,
    };
    const entries = blockEntries(kind, node, at);
    if (!entries) block.isWrong = true;
    for (const entry of entries ?? []) {
      const { key: name, value } = entry;
      const child = children.get(name.text);
      if (name.unusable) continue;
      if (name.text.startsWith('$')) block.meta.push(entry);
      else if (child) block.sections.push({ kind: child, section: value, at: name.at, document });
      else if (key && name.text === kind.mapBy) {
        if (value.type !== 'scalar' || value.text !== key.text)
          say(
            'config/key-twice',
            `the key of the map is \`${kind.mapBy}\` already`,
            name.at,
            'leave it out here',
          );
      } else if (Object.hasOwn(kind.fields, name.text)) block.own.push(entry);
      else {
        maskNode(value);
        const valid = [...Object.keys(kind.fields), ...children.keys()].filter(
          (item) => item !== kind.mapBy || !key,
        );
        say(
          'config/unknown-key',
          `${quoted(name.text)} is not known in ${article(kind.section)}`,
          name.at,
          hintFor(name.text, valid),
        );
      }
    }
    return block;
  }

  /** The entries of a block; undefined if it is none, which was reported. */
  function blockEntries(kind: Kind, node: Node, at: Spot): Entry[] | undefined {
    if (node.type === 'map') return node.entries;
    if (isPoisoned(node)) return undefined;
    if (isNull(node) && kind.mapBy) return [];
    if (isNull(node))
      say(
        'config/null-section',
        `\`${kind.section}\` is empty`,
        at,
        'write `{}` if it is empty on purpose, or leave it out',
      );
    else if (kind.shorthand && node.type !== 'list') return shorthandEntries(kind.shorthand, node);
    else {
      say(
        'config/type',
        `an entry of \`${kind.section}\` is a map, not ${describe(node)}`,
        node.at,
        'name its fields',
      );
      maskNode(node);
    }
    return undefined;
  }

  /** Adds the child sections of a block to its home; the other way round if `other` is the home. */
  function join(home: Block, other: Block): void {
    const isHome = (block: Block) =>
      block.sections.length === 0 ||
      block.meta.length > 0 ||
      block.own.some(({ value }) => value !== block.key);
    const twice = home.document === other.document || (isHome(home) && isHome(other));
    if (twice)
      diagnostics.push(
        problem('config/duplicate', `${home.address} is declared twice`, {
          at: other.position,
          address: home.address,
          hint: 'a resource has one home for its own fields; only its child sections may stand elsewhere',
          related: [{ message: 'the first one', at: home.position }],
        }),
      );
    else if (isHome(other)) {
      const { own, meta, key, at, position, document } = other;
      Object.assign(home, { own, meta, key, at, position, document });
    }
    home.sections.push(...other.sections);
  }

  visit(undefined, sections);
  return blocks;
}

/** The names in the address that a key in the YAML leads to, in the kind's normal form. */
export function keyNames(kind: Kind, text: string): string[] {
  if (kind.rows) return [escapeName(text)];
  const field = kind.mapBy ?? kind.key[0];
  const normal = field === undefined ? undefined : kind.fields[field]?.safeParse(text);
  const value = (normal?.success ? normal.data : text) as Value;
  try {
    return field === undefined ? [] : namesOf(kind, { [field]: value });
  } catch {
    return [escapeName(text)];
  }
}

/** What a scalar stands for, as entries; what it passes on unchanged keeps its node. */
function shorthandEntries(shorthand: NonNullable<Kind['shorthand']>, node: Node): Entry[] {
  const written: Value =
    node.type === 'scalar' ? node.text : node.type === 'hole' ? node.hole : { $join: [] };
  return Object.entries(shorthand(written)).map(([name, value]) => ({
    key: { type: 'scalar', at: node.at, text: name, value: name },
    value: value === written ? node : nodeOf(value, node.at),
  }));
}

const article = (section: string) => `an entry of \`${section}\``;
