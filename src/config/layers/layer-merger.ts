/**
 * Lays the layers of a configuration on each other, from the root down to each block. `layer.ts` defines the terms.
 *
 *   1. `merge` takes the stack of a block. It puts the layers of the templates that a layer uses directly below that layer.
 *   2. It goes through the stack from the bottom: `$drop` removes what lower layers have, fields are merged, entries of sections are
 *      collected for each child section together with the patches and drops that may concern them.
 *   3. `laySection` splits the entries of each section into stacks of child blocks, and calls `layBlock` for each, which is step 1 again.
 */
import { normalAddressGlob } from '../../kind/address-spelling.ts';
import { childKinds } from '../../kind/define-kind.ts';
import type { Kind, Kinds } from '../../kind/kind.ts';
import type { Address } from '../../model/address.ts';
import { type Diagnostic, problem, Reporter } from '../../model/diagnostic.ts';
import type { Glob } from '../../model/glob.ts';
import { globHint } from '../../model/glob-syntax.ts';
import { blockEntries, type Section, takesNullEntry } from '../blocks/section-entries.ts';
import { CountedGlobs } from '../counted-globs.ts';
import { type Expand, expander } from '../expressions/expand.ts';
import type { EnclosingBlock, Globals, Scope } from '../expressions/scope.ts';
import { LimitedCount } from '../growth.ts';
import { hintFor, quoted } from '../suggest.ts';
import {
  type Entry,
  entryOf,
  isNull,
  isPoisoned,
  type MapNode,
  maskUnread,
  type Node,
  nowhere,
} from '../yaml/nodes.ts';
import { positionOf as placeInFile, type Spot } from '../yaml/source.ts';
import { memberNote, readEachMembers } from './each.ts';
import { evaluateWhen } from './evaluate-when.ts';
import { inspectNode, layerKeys } from './inspect-node.ts';
import {
  type Drop,
  describesBlockItself,
  type Layer,
  mergeValue,
  type Patch,
  type StackItem,
} from './layer.ts';
import type { MergeContext } from './merge-context.ts';
import { mergeSection, type SectionItem } from './merge-section.ts';
import { createTargetPath, removeFields, type TargetPath } from './target-path.ts';
import { TemplateStack } from './template-stack.ts';
import type { Template } from './templates.ts';
import { readUse, type Use } from './uses.ts';

/** Far beyond what people write; templates that multiply each other must not stop a run. */
const maxInstances = 250_000;
/** The sum over all patches of the blocks that match, or that may have a match below. */
const maxPatched = 3_000_000;

const matchesNothing: Pick<Glob, 'matches' | 'reach'> = { matches: () => false, reach: () => 'none' };

/** Thrown if the configuration multiplies beyond a limit. That was reported before. */
export class LimitExceeded extends Error {}

/** Lays the layers of blocks on each other. */
export class LayerMerger implements MergeContext {
  readonly kinds: Kinds;
  readonly diagnostics: Diagnostic[];
  readonly globals: Globals;
  readonly templates: ReadonlyMap<string, Template>;
  /** The names of the templates that are laid somewhere. */
  readonly usedTemplates = new Set<string>();
  /** The content of a `$when`, and if it is laid anywhere. */
  readonly #conditional = new Map<Node, boolean>();
  /** Places that something must be at, by the node that names them. */
  readonly targetPaths = new Map<Node, TargetPath>();
  readonly #globs: CountedGlobs;
  readonly #spellings = new Map<string, string>();
  readonly #expandGlobally: Expand;
  readonly #instances = new LimitedCount<Spot>(maxInstances);
  readonly #patched = new LimitedCount<Spot>(maxPatched);

  constructor(
    kinds: Kinds,
    globals: Globals,
    templates: ReadonlyMap<string, Template>,
    diagnostics: Diagnostic[],
  ) {
    this.kinds = kinds;
    this.globals = globals;
    this.templates = templates;
    this.diagnostics = diagnostics;
    this.#globs = new CountedGlobs({
      growth: globals.growth,
      diagnostics,
      whenExceeded: () => {
        throw new LimitExceeded();
      },
    });
    this.#expandGlobally = expander(globals, diagnostics);
  }

  reporterFor(block?: EnclosingBlock): Reporter {
    return new Reporter(this.diagnostics, { address: block?.address });
  }

  /** Returns the function that replaces expressions in a layer of a block. Layers that are literal are returned as they are. */
  expandIn(
    { scope, isLiteral }: Pick<Layer, 'scope' | 'isLiteral'>,
    block: EnclosingBlock | undefined,
  ): Expand {
    if (isLiteral) return (node) => node;
    if (!block && scope === this.globals) return this.#expandGlobally;
    return expander(block ? { ...scope, block } : scope, this.diagnostics);
  }

  /** True unless the `$when` of a layer switches it off. Remembers the result for `maskUnlaid`. */
  isEnabled({ scope, node }: Pick<Layer, 'scope' | 'node'>, block: EnclosingBlock | undefined): boolean {
    const when = node.type === 'map' ? entryOf(node, '$when') : undefined;
    if (!when) return true;
    const { diagnostics } = this;
    const blockScope: Scope = block ? { ...scope, block } : scope;
    const isOn = evaluateWhen(when.value, {
      scope: blockScope,
      expand: this.expandIn({ scope }, block),
      diagnostics,
    });
    this.#conditional.set(node, isOn || this.#conditional.get(node) === true);
    return isOn;
  }

  /** Masks layers that `$when` switched off everywhere: their content is not read, so a secret in them would not be recognized. */
  maskUnlaid(): void {
    for (const [node, isLaid] of this.#conditional) if (!isLaid) maskUnread(node);
  }

  /** Returns a layer for each member of its `$each`, or the layer itself if it has none. */
  expandEach(layer: Layer, block: EnclosingBlock | undefined): Layer[] {
    const { node, scope } = layer;
    const each = node.type === 'map' && !layer.isLiteral ? entryOf(node, '$each') : undefined;
    this.#countInstances(1, node);
    if (!each) return [layer];
    const members = readEachMembers(
      each.value,
      this.expandIn(layer, block),
      scope.each,
      this.reporterFor(block),
    );
    this.#countInstances(members.length, each.value);
    return members.map((member) => ({ ...layer, scope: { ...scope, each: member } }));
  }

  /** Counts instances, and throws `LimitExceeded` after a report if there are too many. `more`: the number of new ones. */
  #countInstances(added: number, { at }: Node): void {
    if (this.#instances.allows(at, added)) return;
    const largest = this.#instances.largest();
    this.reporterFor().error(
      'each/too-many',
      `templates and \`$each\` produce more than ${maxInstances} entries; this place produces most of them, ${largest.count}`,
      { at: largest },
    );
    throw new LimitExceeded();
  }

  countPatched({ path }: Patch, times = 1): void {
    if (this.#patched.allows(path.at, times)) return;
    const largest = this.#patched.largest();
    this.reporterFor().error(
      'patch/too-many',
      `patches and the blocks they apply to multiply to more than ${maxPatched}; this one has ${largest.count}`,
      { at: largest, hint: 'merge patches with the same `$at`, or use a template' },
    );
    throw new LimitExceeded();
  }

  /** Returns a path in normal spelling. Cached, because many instances share one path. */
  #spelled(text: string): string {
    const spelled = this.#spellings.get(text) ?? normalAddressGlob(text, this.kinds);
    this.#spellings.set(text, spelled);
    return spelled;
  }

  /** The place that a path names; that something must be there is asked once for all instances of what is written. */
  targetPath(text: string, node: Node, address?: Address): TargetPath {
    const known = this.targetPaths.get(node);
    const glob = this.#globs.compileAt(node.at, this.#spelled(text));
    const isWrong = 'fault' in glob;
    if (isWrong && !known) this.reporterFor().error('glob/syntax', glob.fault, { at: node, hint: globHint });
    // A path that is not valid names nothing, which is not reported a second time.
    const status = known?.status ?? { hasMatched: isWrong };
    const place = createTargetPath({ text, at: node.at, status }, isWrong ? matchesNothing : glob, address);
    if (!known) this.targetPaths.set(node, place);
    return place;
  }

  /**
   * Returns a block with all layers of its stack laid on each other. A block with one plain layer needs no laying: only its expressions
   * are replaced.
   */
  mergeBlock(kind: Kind, block: EnclosingBlock, items: StackItem[]): Node {
    const [only] = items;
    if (items.length === 1 && only && 'layer' in only) {
      const { layer } = only;
      if (layer.isLiteral) return layer.node;
      if (inspectNode(layer.node, this.globals.kinds).isPlain)
        return this.expandIn(layer, layer.scope === this.globals ? undefined : block)(layer.node);
    }
    const { own, sections, at } = this.merge(kind, block, items);
    const sectionEntries = sections.map(
      ({ kind: { section: name }, section, at }): Entry => ({
        key: { type: 'scalar', at, text: name, value: name },
        value: section,
      }),
    );
    return { type: 'map', at, entries: [...own, ...sectionEntries] };
  }

  /** Merges the stack of a block into its own fields and its sections. The root is no block, so it has sections only. */
  merge(
    kind: Kind | undefined,
    block: EnclosingBlock | undefined,
    items: StackItem[],
  ): { own: Entry[]; sections: Section[]; at: Spot } {
    const children = childKinds(this.kinds, kind?.name);
    const stack = this.#withTemplates(items, kind, block);
    const own = new Map<string, Entry>();
    const childSections = new Map<string, { kind: Kind; items: SectionItem[] }>(
      children.map((child) => [child.section, { kind: child, items: [] }]),
    );
    /** The sections that lower layers have. Nothing else can be patched or dropped. */
    const startedSections = new Set<SectionItem[]>();
    const describingLayers = new Map<object, Layer>();
    const applyDrop = (drop: Drop) => {
      for (const items of startedSections) items.push({ drop });
      removeFields(own, block?.address ?? '', drop.path);
    };
    for (const item of stack) {
      if ('patch' in item) for (const items of startedSections) items.push(item);
      else if ('drop' in item) applyDrop(item.drop);
      else {
        const { entries, layer } = this.#opened(kind, block, item.layer, item === stack[0]);
        for (const drop of this.#dropsOf(entries, layer, block)) applyDrop(drop);
        const fields: Entry[] = [];
        for (const entry of entries) {
          const section = childSections.get(entry.key.text);
          if (section) {
            section.items.push({ entry, layer });
            startedSections.add(section.items);
          } else if (!layerKeys.has(entry.key.text)) fields.push(entry);
        }
        if (!kind) this.#unknownSections(fields, childSections.keys());
        else this.#lieOn(own, kind, block, layer, fields);
        if (block && layer.fragment && describesBlockItself(item.layer.node, [...childSections.keys()]))
          this.#checkHome(describingLayers, layer, block);
      }
    }
    const sections = [...childSections.values()].flatMap(({ kind: child, items }): Section[] => {
      const first = items.find((item) => 'entry' in item);
      const section = first && mergeSection(this, child, block, items);
      return section ? [{ kind: child, section, at: first.entry.key.at }] : [];
    });
    const layers = stack.flatMap((item) => ('layer' in item ? [item.layer] : []));
    const ownLayer = layers.find(({ rank }) => rank === 'own') ?? layers[0];
    return { own: [...own.values()], sections, at: ownLayer?.node.at ?? nowhere };
  }

  #lieOn(
    own: Map<string, Entry>,
    kind: Kind,
    block: EnclosingBlock | undefined,
    layer: Layer,
    fields: Entry[],
  ): void {
    const expanded = this.expandIn(layer, block)({ type: 'map', at: layer.at, entries: fields });
    for (const { key, value } of expanded.type === 'map' ? expanded.entries : []) {
      const before = own.get(key.text);
      const schema = Object.hasOwn(kind.fields, key.text) ? kind.fields[key.text] : undefined;
      own.set(key.text, { key, value: before ? mergeValue(schema, before.value, value) : value });
    }
  }

  /** Reports entries at the root that are no sections. */
  #unknownSections(entries: Entry[], sections: Iterable<string>): void {
    for (const { key } of entries)
      this.reporterFor().error('config/unknown-key', `${quoted(key.text)} is not a section`, {
        at: key,
        hint: hintFor(key.text, [...sections]),
      });
  }

  /** Reports two fragments that both describe the block itself: only a patch may override another fragment. */
  #checkHome(describingLayers: Map<object, Layer>, layer: Layer, { address }: EnclosingBlock): void {
    if (describingLayers.has(layer.fragment!)) return;
    const [otherLayer] = describingLayers.values();
    describingLayers.set(layer.fragment!, layer);
    if (otherLayer) this.reportDuplicate(address, layer, otherLayer);
  }

  /** Reports two layers that declare one resource. */
  reportDuplicate(address: Address, layer: Layer, other: Layer): void {
    const isLayered = layer.rank !== 'own' || other.rank !== 'own' || this.templates.size > 0;
    this.diagnostics.push(
      problem('config/duplicate', `${address} is declared twice${memberNote(layer.scope.each)}`, {
        at: placeInFile(layer.at),
        address,
        hint: `a resource's own fields go in one place; only its child sections may be elsewhere${isLayered ? ', and a patch may change it' : ''}`,
        related: [{ message: `the first one${memberNote(other.scope.each)}`, at: placeInFile(other.at) }],
      }),
    );
  }

  /**
   * Returns the entries of a layer, with a plain value unfolded into fields. Reports an empty layer above others, which would have no
   * effect.
   */
  #opened(
    kind: Kind | undefined,
    block: EnclosingBlock | undefined,
    layer: Layer,
    isLowest: boolean,
  ): { entries: Entry[]; layer: Layer } {
    const { node } = layer;
    if (!kind || node.type === 'map') return { entries: (node as MapNode).entries, layer };
    const report = this.reporterFor(block);
    if (isNull(node) && !isLowest && !takesNullEntry(kind)) {
      const hint = 'to remove it, use `$drop` in the enclosing block; `{}` keeps it';
      report.error('layer/null', 'an empty entry has no effect on a lower layer', { at: node, hint });
      return { entries: [], layer };
    }
    const entries = blockEntries(kind, this.expandIn(layer, block)(node), layer.at, report);
    return { entries: entries ?? [], layer: { ...layer, isLiteral: true } };
  }

  /** Returns the paths of the `$drop` of a layer. Reports values that are no paths. */
  #dropsOf(entries: Entry[], layer: Layer, block: EnclosingBlock | undefined): Drop[] {
    const entry = entries.find(({ key }) => key.text === '$drop');
    if (!entry) return [];
    const report = this.reporterFor(block);
    const { value } = entry;
    if (value.type !== 'list') {
      report.error('drop/value', '`$drop` must be a list of paths', {
        at: value,
        hint: '$drop: [env/LEGAL, framework]',
      });
      return [];
    }
    const expand = this.expandIn(layer, block);
    return value.items.flatMap((item) => {
      const path = expand(item);
      if (path.type === 'scalar' && path.text !== '')
        return [{ path: this.targetPath(path.text, item, block?.address) }];
      if (!isPoisoned(path))
        report.error('drop/value', 'a path must be text, such as `env/LEGAL`', { at: item });
      return [];
    });
  }

  /** Returns the stack of a block with the layers of templates, each below the layer that uses it. */
  #withTemplates(items: StackItem[], kind: Kind | undefined, block: EnclosingBlock | undefined): StackItem[] {
    const usesByLayer = new Map<Layer, Use[]>();
    for (const item of items) {
      if (!('layer' in item) || item.layer.rank === 'template') continue;
      const { layer } = item;
      const use = layer.node.type === 'map' && !layer.isLiteral ? entryOf(layer.node, '$use') : undefined;
      if (use) usesByLayer.set(layer, readUse(use.value, this.reporterFor(block)));
    }
    if (usesByLayer.size === 0) return items;
    const templates = new TemplateStack(this, usesByLayer, kind, block);
    return items.flatMap((item) => ('layer' in item ? [...templates.below(item.layer), item] : [item]));
  }
}
