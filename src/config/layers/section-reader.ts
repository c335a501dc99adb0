import { namesOf } from '../../kind/define-kind.ts';
import type { Kind } from '../../kind/kind.ts';
import { type Address, addressOf, escapeName, unescapeName } from '../../model/address.ts';
import type { Fields, Value } from '../../model/value.ts';
import { keyNames } from '../blocks/block.ts';
import type { EnclosingBlock } from '../expressions/scope.ts';
import {
  describe,
  type Entry,
  entryOf,
  isNull,
  isPoisoned,
  type MapNode,
  maskNode,
  type Node,
  type ScalarNode,
} from '../yaml/nodes.ts';
import type { LayeringContext } from './context.ts';
import type { Layer } from './layer.ts';
import { type ItemPosition, readPosition } from './place-items.ts';

/** An entry that a layer brings in. */
export interface IncomingEntry {
  key?: ScalarNode;
  layer: Layer;
  names: string[] | undefined;
  isEnabled: boolean;
  isList: boolean;
  isAdded: boolean;
  position: ItemPosition | undefined;
}

/** A block as what is in it sees it. */
export const toEnclosingBlock = (
  { name, section, yaml }: Kind,
  parent: EnclosingBlock | undefined,
  { address, names, key }: { address: Address; names: string[]; key?: ScalarNode },
): EnclosingBlock => ({
  kind: name,
  address,
  path: [section, ...names],
  ...(key && yaml.mapBy !== undefined ? { key: { field: yaml.mapBy, node: key } } : {}),
  ...(parent ? { parent } : {}),
});

/** Reads a section as one layer after the other writes it: its entries, with `$each` worked in and names made out. */
export class SectionReader {
  /** A section of the wrong form. */
  invalidSection: Node | undefined;
  /** Entries whose names could not be made out: kept, so that nothing is called missing. */
  readonly unusableEntries: Entry[] = [];
  readonly #context: LayeringContext;
  readonly #kind: Kind;
  readonly #block: EnclosingBlock | undefined;

  constructor(context: LayeringContext, kind: Kind, block: EnclosingBlock | undefined) {
    this.#context = context;
    this.#kind = kind;
    this.#block = block;
  }

  /** The entries of a section in one layer; undefined if it is no section, which is told when it is read. */
  read({ key: name, value }: Entry, layer: Layer): IncomingEntry[] | undefined {
    const { mapBy, manyPerKey } = this.#kind.yaml;
    if (this.#kind.key.length === 0) return this.#entries({ node: value, at: name.at, layer, isList: false });
    const isText = value.type === 'scalar' && value.text.includes('${') && !layer.isLiteral;
    const node = isText ? this.#orAbsent(value, layer) : value;
    if (!node) return [];
    const within: Layer = isText ? { ...layer, isLiteral: true } : layer;
    if (mapBy === undefined ? node.type !== 'list' : node.type !== 'map') {
      this.invalidSection ??=
        isPoisoned(node) || isNull(node) || within.isLiteral
          ? node
          : this.#context.expandIn(layer, this.#block)(node);
      return undefined;
    }
    if (node.type === 'list')
      return this.#spread(node.items, within).flatMap(([item, of]) =>
        this.#entries({ node: item, at: item.at, layer: of, isList: false }),
      );
    return (node as MapNode).entries.flatMap(({ key, value: inner }) => {
      if (key.unusable) {
        this.unusableEntries.push({ key, value: inner });
        return [];
      }
      const nodes =
        manyPerKey && inner.type === 'list' ? this.#spread(inner.items, within) : [[inner, within] as const];
      return nodes.flatMap(([one, of]) =>
        this.#entries({
          key,
          node: one,
          at: inner.type === 'list' ? one.at : key.at,
          layer: of,
          isList: inner.type === 'list',
        }),
      );
    });
  }

  /** The items of a list, with those that `"...${x}"` puts in. */
  #spread(items: Node[], layer: Layer): [Node, Layer][] {
    return items.flatMap((item): [Node, Layer][] => {
      if (layer.isLiteral || item.type !== 'scalar' || !item.text.includes('${')) return [[item, layer]];
      const list = this.#context.expandIn(layer, this.#block)({ type: 'list', at: item.at, items: [item] });
      return list.type === 'list' ? list.items.map((item) => [item, { ...layer, isLiteral: true }]) : [];
    });
  }

  #entries(written: {
    key?: ScalarNode;
    node: Node;
    at: Node['at'];
    layer: Layer;
    isList: boolean;
  }): IncomingEntry[] {
    const { key, node, at, isList } = written;
    const layer: Layer = { ...written.layer, node, at };
    const layers = this.#context.expandEach(layer, this.#block);
    const isMade = layers.length !== 1 || layers[0] !== layer;
    if (isMade && key && !isList && !key.text.includes('${each'))
      this.#context.reporterFor(this.#block)(
        'each/key',
        'each `$each` member needs its own name',
        key.at,
        `\`${key.text}-\${each.key}\``,
      );
    return layers.flatMap((instance): IncomingEntry[] => {
      const layer = this.#withValue(instance);
      if (!layer) return [];
      const named = key?.text.includes('${') && !layer.isLiteral ? this.#keyOf(key, layer) : key;
      if (named?.unusable) {
        maskNode(node);
        this.unusableEntries.push({ key: named, value: node });
        return [];
      }
      const entries = node.type === 'map' ? node.entries : [];
      const names = this.#namesOf(named, layer);
      const enclosing = names
        ? toEnclosingBlock(this.#kind, this.#block, {
            address: addressOf(this.#block?.address, this.#kind.section, names.map(escapeName)),
            names,
            ...(named ? { key: named } : {}),
          })
        : this.#block;
      return [
        {
          ...(named ? { key: named } : {}),
          layer: named ? { ...layer, at: named.at } : layer,
          names,
          isEnabled: this.#context.isEnabled(layer, enclosing),
          isList,
          isAdded: this.#isAdded(entries),
          position: this.#positionOf(entries),
        },
      ];
    });
  }

  /** A layer whose block is written as an expression, with its value; undefined where there is none, and may be none. */
  #withValue(layer: Layer): Layer | undefined {
    const { node, isLiteral } = layer;
    if (isLiteral || node.type !== 'scalar' || !node.text.includes('${')) return layer;
    const value = this.#orAbsent(node, layer);
    return value && { ...layer, node: value, isLiteral: true };
  }

  /** The value of an expression; undefined for one that may lead to nothing, and does. */
  #orAbsent(node: Node, layer: Layer): Node | undefined {
    const key: ScalarNode = { type: 'scalar', at: node.at, text: '', value: '' };
    const expanded = this.#context.expandIn(
      layer,
      this.#block,
    )({
      type: 'map',
      at: node.at,
      entries: [{ key, value: node }],
    });
    return expanded.type === 'map' ? expanded.entries[0]?.value : undefined;
  }

  #keyOf(key: ScalarNode, { scope }: Layer): ScalarNode {
    const expanded = this.#context.expandIn(
      { scope },
      this.#block,
    )({
      type: 'map',
      at: key.at,
      entries: [{ key, value: { type: 'scalar', at: key.at, text: '', value: null } }],
    });
    return (expanded as MapNode).entries[0]!.key;
  }

  /** The names of an entry, unescaped; undefined where its fields do not tell them now. */
  #namesOf(key: ScalarNode | undefined, layer: Layer): string[] | undefined {
    const kind = this.#kind;
    if (kind.key.length === 0) return [];
    if (key) return keyNames(kind, key.text).map(unescapeName);
    const { node } = layer;
    if (node.type !== 'map') return undefined;
    const expand = this.#context.expandIn(layer, this.#block);
    const fields: Fields = {};
    for (const name of kind.key) {
      const entry = entryOf(node, name);
      const value = entry && expand(entry.value);
      if (value && value.type !== 'scalar') return undefined;
      const normal = kind.fields[name]!.safeParse(value?.type === 'scalar' ? value.text : undefined);
      if (!value && !(normal.success && normal.data !== undefined)) return undefined;
      fields[name] = (normal.success ? normal.data : (value as ScalarNode).text) as Value;
    }
    try {
      return namesOf(kind, fields).map(unescapeName);
    } catch {
      return undefined;
    }
  }

  #isAdded(entries: Entry[]): boolean {
    const { key, yaml } = this.#kind;
    const add = entries.find((entry) => entry.key.text === '$add');
    if (!add) return false;
    const say = this.#context.reporterFor(this.#block);
    const isGroup = key.length > 0 && (yaml.mapBy === undefined || yaml.manyPerKey);
    if (!isGroup)
      say('add/one', `names are unique in \`${this.#kind.section}\``, add.key.at, 'remove `$add`');
    else if (add.value.type !== 'scalar' || add.value.value !== true)
      say('add/value', `\`$add\` must be \`true\`, not ${describe(add.value)}`, add.value.at);
    return isGroup === true;
  }

  #positionOf(entries: Entry[]): ItemPosition | undefined {
    const say = this.#context.reporterFor(this.#block);
    const { section, shape } = this.#kind;
    const position = readPosition(entries, say);
    if (!position || shape.orderDecides) return position;
    const entry = entries.find(({ key }) => ['$first', '$last', '$before', '$after'].includes(key.text))!;
    say(
      'order/none',
      `the order of \`${section}\` does not matter`,
      entry.key.at,
      `leave \`${entry.key.text}\` out`,
    );
    return undefined;
  }
}
