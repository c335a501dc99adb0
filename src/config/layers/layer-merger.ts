/**
 * Merges the layers of a configuration, from the root down to each block. `layer.ts` defines layer, item and fragment.
 *
 * Premise: a layer of a block may also write blocks below that block. A template contains sections, and the path of a patch may match a
 * block far below. So a block can be merged only when the layers of everything around it are known: from the root down.
 *
 * Steps
 *   1. `merge` takes the items of a block. It puts the layers of the templates that a layer uses directly below that layer.
 *   2. It goes through the items from the lowest: `$drop` removes parts of lower layers, fields are merged, and entries of sections are
 *      collected for each child section, together with the patches and drops that may concern them.
 *   3. `mergeSection` divides the entries of each section among child blocks, and calls `mergeBlock` for each: step 1 again.
 *
 * Example:
 *
 *   templates: { base: { framework: nextjs, env: { A: x } } }
 *   projects: { web: { $use: base, framework: astro } }
 *   patches: [{ $at: projects/web, env: { B: y } }]
 *
 * The layers of `projects/web` are, from the lowest: the template `base`, the block itself, the patch. The block's `framework: astro` is
 * above that of the template. The section `env` gets an entry of the template and one of the patch, so it has the children `A` and `B`.
 *
 * Two kinds of layers need less work:
 *
 *   expanded   the value of an expression, such as a block written as `${var.settings}`: nothing in it is replaced again
 *   plain      without `$` keys and without expressions about its own block: its expressions are replaced, and nothing else
 */
import { childKinds, isSingleton } from '../../kind/define-kind.ts';
import type { Kind, Kinds } from '../../kind/kind.ts';
import { type Address, addressOf } from '../../model/address.ts';
import type { Reporter } from '../../model/diagnostic.ts';
import { blockEntries, type Section, takesNullEntry } from '../blocks/section-entries.ts';
import { type Expand, expander } from '../expressions/expand.ts';
import { inspectNode, layerKeys } from '../expressions/inspect-node.ts';
import type { EnclosingBlock, ExpressionScope, Globals } from '../expressions/scope.ts';
import { schemaOfField } from '../fields/schema-options.ts';
import { hintForKey } from '../key-hint.ts';
import type { DroppedPart } from '../mask-dropped-values.ts';
import type { ReplacedValue } from '../mask-replaced-values.ts';
import { quoted } from '../suggest.ts';
import type { UncertainNames } from '../uncertain-names.ts';
import {
  type Entry,
  entriesOf,
  entryFor,
  hasReportedProblem,
  isNull,
  type MapNode,
  mapNode,
  memberOf,
  type Node,
  nowhere,
} from '../yaml/nodes.ts';
import { positionOf, type Spot } from '../yaml/source.ts';
import { DisabledLayers } from './disabled-layers.ts';
import { evaluateWhen, memberNote, readEachMembers } from './each-and-when.ts';
import {
  type Drop,
  describesBlockItself,
  type Layer,
  type LayerItem,
  mergeValue,
  type Patch,
  removeFields,
} from './layer.ts';
import type { MergeContext, MergeInput } from './merge-context.ts';
import { MergeLimits } from './merge-limits.ts';
import { mergeSection, type SectionItem } from './merge-section.ts';
import { PathGlobs } from './path-globs.ts';
import { TemplateLayers } from './template-layers.ts';
import type { Template } from './templates.ts';
import { readUse, type Use } from './uses.ts';

/** A section that a block can have, with what its layers write there. */
interface SectionContent {
  kind: Kind;
  /** From the lowest layer to the highest. Empty until a layer writes the section: only then patches and drops can find something in it. */
  items: SectionItem[];
}

/** The content of a block, or of the root, while its layers are merged. */
interface BlockContent {
  /** Undefined for the root. */
  kind: Kind | undefined;
  block: EnclosingBlock | undefined;
  /** Its own fields, by name. */
  fields: Map<string, Entry>;
  /** The sections that it can have, by name. */
  sections: Map<string, SectionContent>;
  /** The first layer of each fragment that describes the block itself. */
  describingLayers: Map<object, Layer>;
}

/**
 * Merges the layers of blocks. Also keeps the state of the whole configuration: limits, used templates, paths and disabled layers.
 */
export class LayerMerger implements MergeContext {
  readonly kinds: Kinds;
  readonly report: Reporter;
  readonly globals: Globals;
  readonly templates: ReadonlyMap<string, Template>;
  readonly uncertain: UncertainNames;
  readonly usedTemplates = new Set<string>();
  /** The paths of all `$at` and `$drop`. */
  readonly paths: PathGlobs;
  readonly disabledLayers = new DisabledLayers();
  readonly replaced: ReplacedValue[];
  readonly dropped: DroppedPart[];
  readonly #expandGlobally: Expand;
  readonly #limits: MergeLimits;

  /**
   * Creates the merger for one configuration, which puts templates, blocks and patches on top of each other.
   * `globals`: the scope of expressions outside of templates, such as variables and the stage. `templates`: all templates by name. Problems
   * are added to `report`. The merger fills three more members of its input: `uncertain`, the places where names may be missing after a
   * problem; `replaced` and `dropped`, the texts without effect. The caller masks these later.
   */
  constructor(
    { kinds, globals, report, uncertain, replaced, dropped }: MergeInput,
    templates: ReadonlyMap<string, Template>,
  ) {
    this.kinds = kinds;
    this.globals = globals;
    this.templates = templates;
    this.report = report;
    this.uncertain = uncertain;
    this.replaced = replaced;
    this.dropped = dropped;
    this.paths = new PathGlobs(kinds, globals, report);
    this.#limits = new MergeLimits(report);
    this.#expandGlobally = expander(globals, report);
  }

  /** Returns a reporter whose problems have the address of the block. */
  reporterFor(block?: EnclosingBlock): Reporter {
    return this.report.withDetails({ address: block?.address });
  }

  /**
   * Returns the function which replaces the expressions in a layer (a template, a block or a patch) by their
   * values. Each layer has its own scope: a template has inputs, and an instance of `$each` has a member.
   * Secrets and references stay, because only a plan has their values. A layer that is itself the value of an expression
   * (`isExpanded`) keeps its texts: a `${` in them is no expression.
   */
  expandIn(
    { scope, isExpanded }: Pick<Layer, 'scope' | 'isExpanded'>,
    block: EnclosingBlock | undefined,
  ): Expand {
    if (isExpanded) return (node) => node;
    // One function for all layers in the global scope, so that each node is expanded once, and its problems are reported once.
    if (!block && scope === this.globals) return this.#expandGlobally;
    return expander(block ? { ...scope, block } : scope, this.report);
  }

  /**
   * True unless the `$when` of a layer (a template, a block or a patch) switches it off, such as `$when: {
   * stage: production }` in another stage. Also records the result, because the values of layers that
   * were never on are masked. `block`: the block that the layer is about. `kind`: that of the block
   * if the layer is one, and not a section or a patch.
   */
  isEnabled(
    { scope, node }: Pick<Layer, 'scope' | 'node'>,
    block: EnclosingBlock | undefined,
    kind?: Kind,
  ): boolean {
    const when = memberOf(node, '$when');
    if (!when) return true;
    const { report } = this;
    const blockScope: ExpressionScope = block ? { ...scope, block } : scope;
    const isOn = evaluateWhen(when, {
      scope: blockScope,
      expand: this.expandIn({ scope }, block),
      report,
    });
    this.disabledLayers.record({ node, member: scope.each?.value, kind }, isOn);
    return isOn;
  }

  /**
   * Returns the instances of a layer: one for each member of its `$each`, in whose scope `${each.key}` has a
   * value, or the layer itself if it has no `$each`. Called for each entry of a section and each item of
   * `use:`, since each instance becomes one resource. If some members cannot be determined, which is reported,
   * `onIncomplete` is called. Throws `LimitExceeded` after a report if the configuration has too many in all.
   */
  expandEach(layer: Layer, block: EnclosingBlock | undefined, onIncomplete: () => void): Layer[] {
    const { node, scope } = layer;
    // In the value of an expression, `$each` has no effect.
    const each = layer.isExpanded ? undefined : memberOf(node, '$each');
    // Each written entry counts, and in addition each instance of a `$each`.
    this.#limits.countInstances(1, node);
    if (!each) return [layer];
    const { members, isComplete } = readEachMembers(
      each,
      this.expandIn(layer, block),
      scope.each,
      this.reporterFor(block),
    );
    if (!isComplete) onIncomplete();
    this.#limits.countInstances(members.length, each);
    return members.map((member) => ({ ...layer, scope: { ...scope, each: member } }));
  }

  countPatched(patch: Patch, times?: number): void {
    this.#limits.countPatched(patch, times);
  }

  /**
   * Returns a block with its templates and patches merged, as if it had been written by hand, so that the reader of blocks needs to know
   * nothing of layers. `items`: its layers from the lowest (templates) to the highest (patches), with the patches and `$drop` paths that
   * may match something inside it.
   */
  mergeBlock(kind: Kind, block: EnclosingBlock, items: LayerItem[]): Node {
    // Most blocks have one layer and need no merging.
    const [firstItem] = items;
    const onlyLayer = items.length === 1 && firstItem && 'layer' in firstItem ? firstItem.layer : undefined;
    const simpleBlock = onlyLayer && this.#expandSimple(onlyLayer, block);
    if (simpleBlock) return simpleBlock;
    const { fields, sections, at } = this.merge(kind, block, items);
    const sectionEntries = sections.map(({ kind: child, section, at: sectionAt }) =>
      entryFor(child.section, section, sectionAt),
    );
    return mapNode([...fields, ...sectionEntries], at);
  }

  /**
   * Returns the merged block if its only layer needs no merging: the value of an expression (`isExpanded`), or a plain layer, in which only
   * expressions have to be replaced (no `$` keys of layers, no `${project.name}` about the enclosing project). Undefined for other layers.
   */
  #expandSimple(layer: Layer, block: EnclosingBlock): Node | undefined {
    if (layer.isExpanded) return layer.node;
    if (!inspectNode(layer.node, this.globals.kinds).isPlain) return undefined;
    // Outside of templates and `$each`, its expressions have the same values in every block. So one expander serves all blocks, and a
    // node that several blocks share is expanded once.
    const isGlobal = layer.scope === this.globals;
    return this.expandIn(layer, isGlobal ? undefined : block)(layer.node);
  }

  /**
   * Merges the layers of a block (templates, then the block itself, then patches) into its own fields and its
   * sections. Without `kind` they are the layers of the root of the configuration, where there are only
   * sections. `items`: these layers from the lowest to the highest, with the patches and `$drop` paths that
   * may match something inside the block. `at` in the result is the place of the block, for messages.
   */
  merge(
    kind: Kind | undefined,
    block: EnclosingBlock | undefined,
    items: LayerItem[],
  ): { fields: Entry[]; sections: Section[]; at: Spot } {
    const allItems = this.#withTemplates(items, kind, block);
    const childrenOfKind = childKinds(this.kinds, kind?.name);
    const content: BlockContent = {
      kind,
      block,
      fields: new Map(),
      sections: new Map(childrenOfKind.map((child) => [child.section, { kind: child, items: [] }])),
      describingLayers: new Map(),
    };
    const [lowestItem] = allItems;
    for (const item of allItems) {
      if ('patch' in item) this.#passPatch(item.patch, content);
      else if ('drop' in item) this.#applyDrop(item.drop, content);
      else this.#addLayer(item.layer, { isLowest: item === lowestItem }, content);
    }
    return {
      fields: [...content.fields.values()],
      sections: this.#mergeSections(content),
      at: placeOfLayers(allItems),
    };
  }

  /**
   * Returns the merged sections of a block whose layers have all been added. Leaves out those that no layer writes, and those of which
   * nothing is left.
   */
  #mergeSections({ block, sections }: BlockContent): Section[] {
    return [...sections.values()].flatMap(({ kind, items }): Section[] => {
      const firstEntry = items.find((item) => 'entry' in item);
      const section = firstEntry && mergeSection(this, kind, block, items);
      return section ? [{ kind, section, at: firstEntry.entry.key.at }] : [];
    });
  }

  /**
   * Adds a patch to the sections of a block that it may change, to be applied when these are merged. A patch of a whole section
   * (`$at: projects/web/env`) is added to that section as if it was written in the block, or reported if the section is a list. A patch of
   * a block further down (`$at: projects/web/env/A`) is added to each section that lower layers have, because a block in it may match.
   */
  #passPatch(patch: Patch, { block, sections }: BlockContent): void {
    const { path, layer } = patch;
    for (const [name, { kind, items }] of sections) {
      // The address of a singleton's section is that of its block, which the patch will find.
      const isOfSection = !isSingleton(kind) && path.isSection(addressOf(block?.address, name, []), name);
      if (isOfSection) {
        path.status.hasMatched = true;
        this.countPatched(patch);
        if (kind.yaml.mapBy === undefined) this.#refuseListPatch(patch, name);
        else items.push({ entry: entryFor(name, layer.node, layer.at), layer });
      } else if (items.length > 0) items.push({ patch });
    }
  }

  /** Reports a patch whose path is a section that is a list: a patch is a map, so it cannot say what the list contains. */
  #refuseListPatch({ path }: Patch, section: string): void {
    const enclosingPath = path.text.slice(0, path.text.lastIndexOf('/'));
    this.reporterFor().error('patch/form', `\`${section}\` is a list, and a patch is a map`, {
      at: path,
      hint: `patch the block around it: \`$at: ${enclosingPath}\`, with \`${section}: [...]\``,
    });
  }

  /**
   * Removes the fields that the path of a `$drop` matches from a block, and passes the drop on to the sections of lower layers, because it
   * may match something in them. Records the removed values: they may be secrets, which messages must mask although nothing reads them.
   */
  #applyDrop(drop: Drop, { kind, fields, block, sections }: BlockContent): void {
    for (const { items } of sections.values()) if (items.length > 0) items.push({ drop });
    for (const { key, value } of removeFields(fields, block?.address ?? '', drop.path))
      this.dropped.push({ node: value, field: kind && schemaOfField(kind.fields, key.text) });
  }

  /**
   * Adds one layer (a template, the block itself or a patch) on top of those that were added before: its `$drop` removes parts of them, its
   * fields override theirs, and the entries of its sections are collected, to be merged once all layers are known. Reports a second
   * document (`fragment`) that describes the block, because only a patch may override another document.
   */
  #addLayer(writtenLayer: Layer, { isLowest }: { isLowest: boolean }, content: BlockContent): void {
    const { kind, block, sections } = content;
    const { entries, layer } = this.#openLayer(kind, block, writtenLayer, isLowest);
    for (const drop of this.#dropsOf(entries, layer, block)) this.#applyDrop(drop, content);
    for (const entry of entries) sections.get(entry.key.text)?.items.push({ entry, layer });
    const fields = entries.filter(({ key }) => !sections.has(key.text) && !layerKeys.has(key.text));
    if (kind) this.#mergeFields(fields, layer, kind, content);
    // Without a kind, the layers are those of the root, where there are only sections.
    else this.#reportUnknownSections(fields, sections.keys());
    // A patch has no fragment.
    const mayDescribe = block !== undefined && layer.fragment !== undefined;
    if (mayDescribe && describesBlockItself(writtenLayer.node, [...sections.keys()]))
      this.#recordDescription(content.describingLayers, layer, block);
  }

  /**
   * Merges the fields of a layer (a template, the block itself or a patch) into those of the layers below it. The value of the higher layer
   * wins, so that a block overrides single fields of its templates, except that some objects are merged member by member.
   */
  #mergeFields(entries: Entry[], layer: Layer, kind: Kind, { fields, block }: BlockContent): void {
    const expanded = this.expandIn(layer, block)(mapNode(entries, layer.at));
    for (const { key, value } of entriesOf(expanded)) {
      const lowerField = fields.get(key.text);
      const schema = schemaOfField(kind.fields, key.text);
      fields.set(key.text, {
        key,
        value: lowerField ? mergeValue(schema, lowerField.value, value, this.replaced) : value,
      });
    }
  }

  /**
   * Reports keys at the root of a template under `use:` that are not the name of a section, such as `project`
   * instead of `projects`. The merger would otherwise ignore them silently. `sections`: all names of
   * sections, for the hint.
   */
  #reportUnknownSections(entries: Entry[], sections: Iterable<string>): void {
    for (const { key } of entries)
      this.reporterFor().error('config/unknown-key', `${quoted(key.text)} is not a section`, {
        at: key,
        hint: hintForKey(key.text, { kinds: this.kinds, validKeys: [...sections] }),
      });
  }

  /**
   * Records that a layer of a fragment (a document, or an entry of `use:`) describes a block, and reports a
   * second fragment that describes the same one: only a patch may override another document.
   * `describingLayers`: the layers that describe the block, by fragment.
   */
  #recordDescription(describingLayers: Map<object, Layer>, layer: Layer, { address }: EnclosingBlock): void {
    if (describingLayers.has(layer.fragment!)) return;
    const [otherLayer] = describingLayers.values();
    describingLayers.set(layer.fragment!, layer);
    if (otherLayer) this.reportDuplicate(address, layer, otherLayer);
  }

  /**
   * Reports two layers (a template, the block itself or a patch) that declare one resource although neither
   * may override the other, since it would be unclear which one counts. The hint mentions patches only if a
   * layer is no block or the configuration has templates.
   */
  reportDuplicate(address: Address, layer: Layer, otherLayer: Layer): void {
    const mayPatch = layer.rank !== 'own' || otherLayer.rank !== 'own' || this.templates.size > 0;
    this.report.error('config/duplicate', `${address} is declared twice${memberNote(layer.scope.each)}`, {
      at: positionOf(layer.at),
      address,
      hint: `a resource's own fields go in one place; only its child sections may be elsewhere${mayPatch ? ', and a patch may change it' : ''}`,
      related: [
        {
          message: `the first one${memberNote(otherLayer.scope.each)}`,
          at: positionOf(otherLayer.at),
        },
      ],
    });
  }

  /**
   * Returns the entries of a layer (a template, the block itself or a patch), usually a map. A plain value
   * that stands for a block, such as `LOG_LEVEL: info`, becomes the entries that it means, and the layer
   * becomes an expanded one: its expressions have their values already. Reports an empty entry on top of other
   * layers, because its author may have meant to remove something.
   */
  #openLayer(
    kind: Kind | undefined,
    block: EnclosingBlock | undefined,
    layer: Layer,
    isLowest: boolean,
  ): { entries: Entry[]; layer: Layer } {
    const { node } = layer;
    // Layers of the root (those without a kind) are always maps.
    if (!kind || node.type === 'map') return { entries: (node as MapNode).entries, layer };
    const report = this.reporterFor(block);
    if (isNull(node) && !isLowest && !takesNullEntry(kind)) {
      const hint = 'to remove it, use `$drop` in the enclosing block; `{}` keeps it';
      report.error('layer/null', 'an empty entry has no effect on a lower layer', { at: node, hint });
      return { entries: [], layer };
    }
    const entries = blockEntries(kind, this.expandIn(layer, block)(node), layer.at, report);
    return { entries: entries ?? [], layer: { ...layer, isExpanded: true } };
  }

  /**
   * Returns the paths in the `$drop` of a layer, which remove parts of the layers below it. A block uses `$drop` to
   * get rid of what its template declares. Reports values that are no paths.
   */
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
        return [{ path: this.paths.add(path.text, item, block?.address) }];
      if (!hasReportedProblem(path))
        report.error('drop/value', 'a path must be text, such as `env/LEGAL`', { at: item });
      return [];
    });
  }

  /**
   * Returns the layers of a block together with those of the templates that they use, each directly below the
   * layer with the `$use`. So a block overrides its templates, and patches override both. Called before the
   * layers are merged.
   */
  #withTemplates(items: LayerItem[], kind: Kind | undefined, block: EnclosingBlock | undefined): LayerItem[] {
    const usesByLayer = new Map<Layer, Use[]>();
    for (const item of items) {
      // The `$use` in a template is read by `TemplateLayers`.
      if (!('layer' in item) || item.layer.rank === 'template') continue;
      const { layer } = item;
      const use = layer.isExpanded ? undefined : memberOf(layer.node, '$use');
      if (use) usesByLayer.set(layer, readUse(use, this.reporterFor(block)));
    }
    if (usesByLayer.size === 0) return items;
    const templateLayers = new TemplateLayers(this, usesByLayer, kind, block);
    return items.flatMap((item) => ('layer' in item ? [...templateLayers.below(item.layer), item] : [item]));
  }
}

/**
 * Returns the place to which messages about a merged block point: where the block itself is written, or else
 * its lowest layer, such as a template.
 */
function placeOfLayers(items: LayerItem[]): Spot {
  const layers = items.flatMap((item) => ('layer' in item ? [item.layer] : []));
  const ownLayer = layers.find(({ rank }) => rank === 'own') ?? layers[0];
  return ownLayer?.node.at ?? nowhere;
}
