/**
 * Reads a section of a block as one layer after another writes it, before the layers are merged.
 *
 *   instance   the entry for one member of a `$each`
 */

import { isSingleton, namesOf } from '../../kind/define-kind.ts';
import type { Kind } from '../../kind/kind.ts';
import { type Address, addressOf, escapeName, unescapeName } from '../../model/address.ts';
import type { Reporter } from '../../model/diagnostic.ts';
import type { Fields, Value } from '../../model/value.ts';
import { keyNames } from '../blocks/block.ts';
import { type Expand, isSpreadList } from '../expressions/expand.ts';
import { isExpression } from '../expressions/inspect-node.ts';
import type { EnclosingBlock } from '../expressions/scope.ts';
import {
  describeNodeType,
  type Entry,
  entriesOf,
  entryFor,
  hasReportedProblem,
  isNull,
  itemsOf,
  type MapNode,
  mapNode,
  memberOf,
  type Node,
  nowhere,
  type ScalarNode,
  textNode,
} from '../yaml/nodes.ts';
import type { Layer } from './layer.ts';
import { maskUnreadBlock } from './mask-unread-block.ts';
import type { MergeContext } from './merge-context.ts';
import { readPosition, type WantedPosition } from './place-items.ts';

/** An entry of a section that one layer adds to the layers of a block. */
export interface IncomingEntry {
  key?: ScalarNode;
  /** The map key before its expressions were replaced: one object for all entries of the list behind it. */
  writtenKey?: ScalarNode | undefined;
  layer: Layer;
  /** The names in its address, unescaped; undefined if its fields do not determine them yet. */
  names: string[] | undefined;
  /** False if `$when` switches the layer off, or the section in which the layer writes it. */
  isEnabled: boolean;
  /** True if the `$when` of the section switches it off. */
  isSectionOff: boolean;
  /** True if it is an item of a list under a map key. */
  isList: boolean;
  /** True with `$add: true`: it is added to the entries of lower layers and overrides none. */
  isAdded: boolean;
  position: WantedPosition | undefined;
}

/** An entry of a section as one layer writes it. */
interface WrittenEntry {
  /** Its map key; undefined for an item of a list, and for a singleton. */
  key?: ScalarNode;
  node: Node;
  /** Its place, for messages. */
  at: Node['at'];
  layer: Layer;
  /** True if it is an item of a list under a map key. */
  isList: boolean;
}

/** The members of an incoming entry that its key and its layer determine. */
type NamedLayer = Pick<IncomingEntry, 'key' | 'layer' | 'names' | 'isEnabled'>;

/**
 * Returns a block in the form that the expressions inside it use, so that `${project.id}` in a variable of `web`
 * becomes the reference `projects.web.id`.
 * @param parent the block around it, in the same form
 * @param block.names the names in its address, unescaped: with the section, they are the steps of such a reference
 * @param block.key the map key under which it is written; absent for an item of a list. It is the value of the field
 * that the kind is mapped by: `web` is the `name` of a project, so `${project.name}` has a value even where references
 * are not allowed, such as in keys
 */
export const toEnclosingBlock = (
  { name, section, yaml }: Kind,
  parent: EnclosingBlock | undefined,
  { address, names, key }: { address: Address; names: string[]; key?: ScalarNode },
): EnclosingBlock => ({
  kind: name,
  address,
  path: [section, ...names],
  key: key && yaml.mapBy !== undefined ? { field: yaml.mapBy, node: key } : undefined,
  parent,
});

/** Reads the entries of a section: expands `$each` and list items that are expressions, and determines the names of entries. */
export class SectionReader {
  /** The first section with the wrong form, such as a list where a map is needed. */
  invalidSection: Node | undefined;
  /** Entries whose names could not be determined. They are kept, so that nothing in this section is reported as missing. */
  readonly unusableEntries: Entry[] = [];
  readonly #context: MergeContext;
  readonly #kind: Kind;
  readonly #block: EnclosingBlock | undefined;
  readonly #report: Reporter;
  readonly #section: Address;

  /**
   * Creates the reader of what each layer (a template, a document, a patch) writes in one section, such as
   * `env:`, of `block`, or at the root of the configuration. The merger of the section calls it for one layer
   * after the other. `context`: the parts of the merger of the whole configuration.
   */
  constructor(context: MergeContext, kind: Kind, block: EnclosingBlock | undefined) {
    this.#context = context;
    this.#kind = kind;
    this.#block = block;
    this.#report = context.reporterFor(block);
    this.#section = addressOf(block?.address, kind.section, []);
  }

  /**
   * Returns the entries that one layer (a template, a document or a patch) writes in this section, such as `env:`, with expressions and
   * `$each` expanded, so that the merger can match them by name with those of other layers. None if the section is an optional expression
   * (`${var.x?}`) without a value. Undefined if it has the wrong type, such as a list instead of a map: it is kept in `invalidSection`, and
   * the reader of the merged sections reports it.
   */
  read({ key: name, value }: Entry, layer: Layer): IncomingEntry[] | undefined {
    const { mapBy } = this.#kind.yaml;
    // The section is a single block. `#readEntry` handles an expression that stands for it, as for every block.
    if (isSingleton(this.#kind)) return this.#readEntry({ node: value, at: name.at, layer, isList: false });
    // Instead of a map, several maps: `["...${var.a}", "...${var.b}"]`. In a list, such items are expanded one by one.
    const isSpread = mapBy !== undefined && isSpreadList(value);
    const isExpressionText = (isSpread || isExpression(value)) && !layer.isExpanded;
    const node = isExpressionText ? this.#valueOf(value, layer) : value;
    // The section is a list of optional expressions, and none has a value.
    const isEmptySpread = isSpread && node?.type === 'list' && node.items.length === 0;
    if (!node || isEmptySpread) return [];
    const sectionLayer: Layer = isExpressionText ? { ...layer, isExpanded: true } : layer;
    if (node.type === 'list' && mapBy === undefined)
      return this.#expandItems(node.items, sectionLayer).flatMap(([item, itemLayer]) =>
        this.#readEntry({ node: item, at: item.at, layer: itemLayer, isList: false }),
      );
    if (node.type === 'map' && mapBy !== undefined) return this.#readMap(node, sectionLayer);
    this.#keepInvalidSection(node, sectionLayer);
    return undefined;
  }

  /**
   * Returns the entries of a section that is a map. A `$when` in it switches off the entries of this layer; they are returned as disabled,
   * so that patches of them are not reported as misspelled. In a map that is the value of an expression, `$when` has no effect.
   */
  #readMap(map: MapNode, layer: Layer): IncomingEntry[] {
    const isWritten = !layer.isExpanded;
    const isSectionOff = isWritten && !this.#context.isEnabled({ ...layer, node: map }, this.#block);
    const isSetting = ({ key }: Entry) => isWritten && key.text === '$when' && !key.isExpanded;
    const entries = map.entries.filter((keyedEntry) => !isSetting(keyedEntry));
    const incoming = entries.flatMap((keyedEntry) => this.#readKeyedEntry(keyedEntry, layer));
    return isSectionOff ? incoming.map((entry) => ({ ...entry, isEnabled: false, isSectionOff })) : incoming;
  }

  /**
   * Keeps the first section with the wrong type for the reader that reports it. Its expressions are replaced, so that the report is about
   * the value. Its entries are unknown, so no name in the section is reported as missing.
   */
  #keepInvalidSection(node: Node, layer: Layer): void {
    this.#context.uncertain.addSection(this.#section);
    if (this.invalidSection) return;
    const isFinal = hasReportedProblem(node) || isNull(node) || layer.isExpanded;
    this.invalidSection = isFinal ? node : this.#context.expandIn(layer, this.#block)(node);
  }

  /**
   * Returns the entries that one key of a section stands for: those in the list behind it, if a key may have several (`manyPerKey`, such as
   * `API_URL: [{ target: preview, ... }, ...]`), or else the entry itself. A key whose text is not known goes to `unusableEntries`, and no
   * name in the section is reported as missing then.
   */
  #readKeyedEntry({ key, value }: Entry, layer: Layer): IncomingEntry[] {
    if (key.unusable) {
      this.unusableEntries.push({ key, value });
      this.#context.uncertain.addSection(this.#section);
      return [];
    }
    if (value.type !== 'list') return this.#readEntry({ key, node: value, at: key.at, layer, isList: false });
    const nodes = this.#kind.yaml.manyPerKey
      ? this.#expandItems(value.items, layer)
      : [[value, layer] as const];
    return nodes.flatMap(([node, nodeLayer]) =>
      this.#readEntry({ key, node, at: node.at, layer: nodeLayer, isList: true }),
    );
  }

  /**
   * Returns the items of a list, each with its layer. An item that is an expression is replaced by its value,
   * and `"...${var.routes}"` by all items of that list. The layers of these are marked as expanded: a `${` in a value is text.
   */
  #expandItems(items: Node[], layer: Layer): [Node, Layer][] {
    return items.flatMap((item): [Node, Layer][] => {
      if (layer.isExpanded || !isExpression(item)) return [[item, layer]];
      const list = this.#context.expandIn(layer, this.#block)({ type: 'list', at: item.at, items: [item] });
      if (list.type === 'map')
        this.#report.error('expression/spread', '`...` inserts the items of a list, but this is a map', {
          at: item,
        });
      return itemsOf(list).map((listItem) => [listItem, { ...layer, isExpanded: true }]);
    });
  }

  /**
   * Returns the entries that one written entry of a section stands for: one for each member of its `$each`, or itself, with their names,
   * `$add` and position. Leaves out an entry whose name or value is missing (see `#readInstance`).
   */
  #readEntry({ key, node, at, layer, isList }: WrittenEntry): IncomingEntry[] {
    const entryLayer: Layer = { ...layer, node, at };
    // If a member of `$each` cannot be determined, any name in the section may be missing for that reason.
    const onIncomplete = () => this.#context.uncertain.addSection(this.#section);
    const instances = this.#context.expandEach(entryLayer, this.#block, onIncomplete);
    // Without `$each`, the only instance is the entry's own layer.
    const isRepeated = instances.length !== 1 || instances[0] !== entryLayer;
    // The entries in a list under one key share their name.
    const hasFixedName = key && !isList && !key.text.includes('${each');
    if (isRepeated && hasFixedName)
      this.#report.error('each/key', 'each `$each` member needs its own name', {
        at: key,
        hint: `\`${key.text}-\${each.key}\``,
      });
    return instances.flatMap((instance): IncomingEntry[] => {
      const named = this.#readInstance(key, node, instance);
      if (!named) return [];
      const entries = entriesOf(node);
      const position = this.#positionOf(entries);
      return [
        { ...named, writtenKey: key, isSectionOff: false, isList, isAdded: this.#isAdded(entries), position },
      ];
    });
  }

  /**
   * Returns one instance of an entry (one member of its `$each`) with its names and its value. Undefined if the whole entry or its key is
   * an optional expression (`${x?}`) without a value, and, after a report, if the text of its key is not known. In the latter case the
   * entry goes to `unusableEntries`, so that nothing in the section is reported as missing. `written`: the entry before its expressions are
   * replaced.
   */
  #readInstance(key: ScalarNode | undefined, written: Node, instance: Layer): NamedLayer | undefined {
    const layer = this.#withValue(instance);
    if (!layer) return undefined;
    const expandedKey = key && isExpression(key) && !layer.isExpanded ? this.#expandKey(key, layer) : key;
    const hasUsableKey = key === undefined || (expandedKey && !expandedKey.unusable);
    if (hasUsableKey) return this.#namedLayer(expandedKey, layer);
    maskUnreadBlock(written, this.#kind, this.#context.kinds);
    // Otherwise the key is optional and has no value, so there is no entry.
    if (expandedKey) {
      this.unusableEntries.push({ key: expandedKey, value: written });
      this.#context.uncertain.addSection(this.#section);
    }
    return undefined;
  }

  /**
   * Returns one instance of an entry (one member of its `$each`) with its names, by which the merger finds
   * entries of the same name in other layers, and whether its `$when` switches it on. `key`: its key in the
   * map, with expressions replaced.
   */
  #namedLayer(key: ScalarNode | undefined, layer: Layer): NamedLayer {
    const names = this.#namesOf(key, layer);
    // Without known names, the expressions in `$when` can only name the blocks around the section.
    const enclosing = names
      ? toEnclosingBlock(this.#kind, this.#block, {
          address: addressOf(this.#block?.address, this.#kind.section, names.map(escapeName)),
          names,
          key,
        })
      : this.#block;
    return {
      key,
      layer: key ? { ...layer, at: key.at } : layer,
      names,
      isEnabled: this.#context.isEnabled(layer, enclosing, this.#kind),
    };
  }

  /**
   * Returns a layer with the value of its expression, if a whole block is written as one: `web: ${var.web}`.
   * Returns undefined if the expression is optional and has no value, because then the block does not exist.
   * Other layers are returned as they are.
   */
  #withValue(layer: Layer): Layer | undefined {
    const { node, isExpanded } = layer;
    if (isExpanded || !isExpression(node)) return layer;
    const value = this.#valueOf(node, layer);
    return value && { ...layer, node: value, isExpanded: true };
  }

  /**
   * Returns the value of an expression such as `${var.sites}`; undefined if it is optional (`${var.sites?}`)
   * and has no value. To find that out, it is expanded as an entry of a map, because a map omits an entry
   * without a value.
   */
  #valueOf(node: Node, layer: Layer): Node | undefined {
    const map = mapNode([entryFor('', node, node.at)], node.at);
    const expanded = this.#context.expandIn(layer, this.#block)(map);
    return entriesOf(expanded)[0]?.value;
  }

  /**
   * Returns a map key with its expressions replaced, such as `site-${each.key}`. It is the name of a block
   * and so part of its address. The key is expanded as part of a map with one entry, because only the
   * expansion of maps expands keys. Returns undefined for an optional expression without a value.
   */
  #expandKey(key: ScalarNode, { scope }: Layer): ScalarNode | undefined {
    // Expanding masks the value of an unusable key in its file. The value here is a dummy without a place, so that nothing is masked.
    const map = mapNode([{ key, value: textNode('', nowhere) }], key.at);
    const expanded = this.#context.expandIn({ scope }, this.#block)(map);
    return entriesOf(expanded)[0]?.key;
  }

  /**
   * Returns the names of an entry, from its map key or its key fields: usually one, such as `API_URL`, but a
   * kind may be identified by several fields. Entries of several layers (templates, documents, patches) are
   * combined if their names are equal. Returns undefined if the names are not known yet, for example because
   * a reference decides them.
   */
  #namesOf(key: ScalarNode | undefined, layer: Layer): string[] | undefined {
    const kind = this.#kind;
    if (isSingleton(kind)) return [];
    if (key) return keyNames(kind, key.text).map(unescapeName);
    const { node } = layer;
    if (node.type !== 'map') return undefined;
    const fields: Fields = {};
    const expand = this.#context.expandIn(layer, this.#block);
    for (const name of kind.key) {
      const value = this.#keyFieldOf(node, name, expand);
      if (value === undefined) return undefined;
      fields[name] = value;
    }
    try {
      return namesOf(kind, fields).map(unescapeName);
    } catch {
      return undefined;
    }
  }

  /**
   * Returns the value of a field that belongs to the name of an entry, or its default. Undefined if it is not known yet. Parses the text,
   * because names are texts. A text that the schema rejects is returned as it is written: if it is an error, that is reported later.
   */
  #keyFieldOf(map: MapNode, name: string, expand: Expand): Value | undefined {
    const written = memberOf(map, name);
    const value = written && expand(written);
    if (value && value.type !== 'scalar') return undefined;
    const parsed = this.#kind.fields[name]!.safeParse(value?.text);
    return parsed.success ? (parsed.data as Value | undefined) : value?.text;
  }

  /**
   * True if an entry has `$add: true`: it then stands beside the entries of the same name in lower layers
   * instead of overriding them, such as a second DNS record of a name. Reports `$add` where names are unique.
   * Also reports values other than `true`, which then count as `true`.
   */
  #isAdded(entries: Entry[]): boolean {
    const { yaml } = this.#kind;
    const add = entries.find((entry) => entry.key.text === '$add');
    if (!add) return false;
    const report = this.#report;
    const mayRepeatNames = !isSingleton(this.#kind) && (yaml.mapBy === undefined || yaml.manyPerKey === true);
    if (!mayRepeatNames)
      report.error('add/one', `names are unique in \`${this.#kind.section}\``, {
        at: add.key,
        hint: 'remove `$add`',
      });
    else if (add.value.type !== 'scalar' || add.value.value !== true)
      report.error('add/value', `\`$add\` must be \`true\`, not ${describeNodeType(add.value)}`, {
        at: add.value,
      });
    return mayRepeatNames;
  }

  /**
   * Returns the position in an ordered list that an entry asks for, such as `$first`. Reports it in sections whose order does not matter,
   * because it has no effect there.
   */
  #positionOf(entries: Entry[]): WantedPosition | undefined {
    const report = this.#report;
    const { section, shape } = this.#kind;
    const position = readPosition(entries, report);
    if (!position || shape.orderDecides) return position;
    const entry = entries.find(({ key }) => ['$first', '$last', '$before', '$after'].includes(key.text))!;
    report.error('order/none', `the order of \`${section}\` does not matter`, {
      at: entry.key,
      hint: `leave \`${entry.key.text}\` out`,
    });
    return undefined;
  }
}
