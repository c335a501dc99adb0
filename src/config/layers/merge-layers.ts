/** Merges templates and patches into the blocks of a configuration. */
import type { Kinds } from '../../kind/kind.ts';
import type { Reporter } from '../../model/diagnostic.ts';
import type { Section } from '../blocks/section-entries.ts';
import { layerKeys } from '../expressions/inspect-node.ts';
import { quoted } from '../suggest.ts';
import {
  type Entry,
  entryOf,
  hasReportedProblem,
  mapNode,
  maskUnread,
  type Node,
  nowhere,
} from '../yaml/nodes.ts';
import { withoutLateValues } from './each-and-when.ts';
import type { Layer, LayerItem, Patch, PathGlob } from './layer.ts';
import { LayerMerger } from './layer-merger.ts';
import type { MergeInput } from './merge-context.ts';
import { LimitExceeded } from './merge-limits.ts';
import { TemplateLayers } from './template-layers.ts';
import type { Template } from './templates.ts';
import { checkUnused, readUse } from './uses.ts';

/** The parts of a configuration before templates and patches are merged into its blocks. */
export interface WrittenLayers {
  /** The sections of each document. */
  documents: Entry[][];
  /** The sections `templates:`. */
  templates: Node[];
  /** The entries of `use:`. */
  use: Node[];
  /** The entries of `patches:`, in the order in which they are applied. */
  patches: Node[];
  /** The layers of a test above all patches: maps of sections, or patches with `$at`. */
  overlays: Node[];
}

/**
 * Applies templates, patches, `$each`, `$when` and `$drop`. Returns the sections of the configuration as if
 * the result had been written by hand, with variables and inputs replaced by their values, so that all later
 * readers need to know nothing of these. Afterwards checks the templates that nothing uses, unless a file
 * could not be read (`incomplete`): it may have used them.
 */
export async function mergeLayers(written: WrittenLayers, input: MergeInput): Promise<Section[]> {
  const { kinds, globals, report } = input;
  const templates = await readTemplatesIfAny(written.templates, kinds, report);
  const merger = new LayerMerger(input, templates);
  const sections = new RootMerger(merger).merge(written);
  // Nothing reads the parts that `$when` switched off, so secrets in them would not be recognized.
  merger.disabledLayers.mask(kinds);
  // The caller masks such a value if the one that it is paired with turns out to be a secret.
  input.replaced.push(...merger.disabledLayers.pairSkippedMembers());
  if (!globals.incomplete) checkUnused(merger.usedTemplates, { kinds, templates, report });
  return sections;
}

/**
 * Reads the section `templates:` of a configuration, for the merger that applies them where a block says `$use`. Their code contains an
 * engine for regular expressions, so it is loaded only if there are templates.
 */
async function readTemplatesIfAny(
  sections: Node[],
  kinds: Kinds,
  report: Reporter,
): Promise<Map<string, Template>> {
  if (sections.length === 0) return new Map();
  return (await import('./templates.ts')).readTemplates(sections, kinds, report);
}

/** Merges the layers of the root: the documents, the templates of `use:` and the patches. */
class RootMerger {
  readonly #merger: LayerMerger;

  constructor(merger: LayerMerger) {
    this.#merger = merger;
  }

  /**
   * Merges everything that is written at the top of the configuration, from the lowest layer to the highest: the sections of all
   * `documents`, the templates that `use:` names, `patches`, and the layers that a test adds (`overlays`). Returns the sections for the
   * reader of blocks; none if the configuration multiplies beyond a limit, after a report. At the end reports paths of patches and `$drop`
   * that matched nothing.
   */
  merge({ documents, use, patches, overlays }: WrittenLayers): Section[] {
    try {
      const items: LayerItem[] = [
        // A new fragment for each document: layers with different fragments never override each other.
        ...documents.map((entries) => ({ layer: this.#rootLayer(mapNode(entries, nowhere), 'own', {}) })),
        ...use.flatMap((node) => this.#readUseEntry(node)),
        ...patches.flatMap((node) => this.#readPatchItem(node)),
        ...overlays.flatMap((node) => this.#readOverlay(node)),
      ];
      const { sections } = this.#merger.merge(undefined, undefined, items);
      this.#reportUnmatchedPaths(items.flatMap((item) => ('patch' in item ? [item.patch] : [])));
      return sections;
    } catch (error) {
      if (error instanceof LimitExceeded) return [];
      throw error;
    }
  }

  /**
   * Returns a layer outside of templates, in whose expressions variables and the stage have values. Without `fragment` it may override all
   * documents.
   */
  #rootLayer(node: Node, rank: Layer['rank'], fragment?: object): Layer {
    return { node, at: node.at, scope: this.#merger.globals, rank, fragment };
  }

  /** Returns the item of one entry of `patches:`; none after a report. Then its values are masked, because no reader looks at them. */
  #readPatchItem(node: Node): LayerItem[] {
    const patch = this.#readPatch(node);
    if (!patch) maskUnread(node);
    return patch ? [{ patch }] : [];
  }

  /**
   * Returns the item of one layer that a test puts on top of the configuration. A map of sections is a layer of the root with the rank of a
   * patch, so that it overrides everything below it and adds blocks. A map with `$at` is read like an entry of `patches:`.
   */
  #readOverlay(node: Node): LayerItem[] {
    if (node.type !== 'map' || entryOf(node, '$at')) return this.#readPatchItem(node);
    return [{ layer: this.#rootLayer(node, 'patch') }];
  }

  /**
   * Reports each path of `$at` (of a patch) and `$drop` that matched nothing in the whole
   * configuration, because it is probably misspelled. Leaves out patches that their own `$when` switches off,
   * and paths that may mean something that is missing because of another problem.
   * Masks the values of unmatched patches: no reader looked at them, so they may be secrets that a message
   * would quote.
   */
  #reportUnmatchedPaths(patches: Patch[]): void {
    for (const { path, layer } of patches) {
      if (path.status.hasMatched) continue;
      maskUnread(layer.node);
      // A patch that is switched off counts as matched, so that it is not reported below.
      if (!this.#merger.isEnabled(layer, undefined)) path.status.hasMatched = true;
    }
    const report = this.#merger.reporterFor();
    for (const path of this.#merger.paths.byNode.values()) {
      const { status, at, text, isRelative } = path;
      if (status.hasMatched || this.#merger.uncertain.mayMean(path)) continue;
      if (isRelative)
        report.error('patch/nothing', `lower layers have nothing at ${quoted(text)}`, {
          at,
          hint: 'paths are relative to the block: `env/LEGAL`, `firewall/rules`, `framework`',
        });
      else
        report.error('patch/nothing', `there is nothing at ${quoted(text)}`, {
          at,
          hint: 'addresses look like `projects/web/env/LOG_LEVEL`, with globs as in --target',
        });
    }
  }

  /**
   * Reads one entry of `patches:`, such as `{ $at: projects/web, framework: nextjs }`: `$at` is the address or glob of the blocks to
   * change, and the other keys are new content for them. Returns undefined if it reports the form or `$at`. `$each` is reported and left
   * out.
   */
  #readPatch(node: Node): Patch | undefined {
    const report = this.#merger.reporterFor();
    const addressEntry = entryOf(node, '$at');
    if (node.type !== 'map' || !addressEntry) {
      const hint = '- { $at: projects/web, framework: nextjs }';
      return report.error('patch/form', 'a patch must be a map with `$at`', { at: node, hint });
    }
    const each = entryOf(node, '$each');
    if (each)
      report.error('each/not-here', '`$each` is for resource entries, not patches', {
        at: each.key,
        hint: 'use globs in `$at`',
      });
    const path = this.#readPatchPath(addressEntry.value);
    if (!path) return undefined;
    const content = {
      ...node,
      entries: node.entries.filter((entry) => entry !== addressEntry && entry !== each),
    };
    return { path, layer: { ...this.#rootLayer(content, 'patch'), at: addressEntry.key.at } };
  }

  /**
   * Reads the address or glob in the `$at` of a patch; undefined after a report. It must be known before the plan, so its expressions
   * cannot use secrets and lookups.
   */
  #readPatchPath(node: Node): PathGlob | undefined {
    const scope = withoutLateValues(this.#merger.globals);
    const address = this.#merger.expandIn({ scope }, undefined)(node);
    if (address.type === 'scalar' && address.text !== '') return this.#merger.paths.add(address.text, node);
    if (hasReportedProblem(address)) return undefined;
    return this.#merger.reporterFor().error('patch/form', '`$at` must be an address or an address glob', {
      at: node,
      hint: 'projects/web, or projects/site-*',
    });
  }

  /**
   * Returns the layers of the templates that one entry of `use:` names, such as `{ $each: [a, b], site: {
   * name: "${each.key}" } }`, for each member of its `$each`. `use:` adds the resources of a template that
   * contains whole sections, so the layers belong to the root of the configuration. Returns none if `$when`
   * switches the entry off.
   */
  #readUseEntry(node: Node): LayerItem[] {
    // The names of the templates, without `$each` and `$when`.
    const useNode: Node =
      node.type === 'map'
        ? { ...node, entries: node.entries.filter(({ key }) => !layerKeys.has(key.text)) }
        : node;
    // If a member of `$each` cannot be determined, resources may be missing anywhere.
    const onIncomplete = () => this.#merger.uncertain.addBlock();
    const instances = this.#merger.expandEach(this.#rootLayer(node, 'own'), undefined, onIncomplete);
    return instances.flatMap((instance) => {
      if (!this.#merger.isEnabled(instance, undefined)) return [];
      // Each instance is a fragment of its own, so that none overrides another.
      const layer: Layer = { ...instance, fragment: {} };
      const uses = readUse(useNode, this.#merger.reporterFor());
      // The layer itself has no content. Only the layers of its templates count, without a kind and a block.
      return new TemplateLayers(this.#merger, new Map([[layer, uses]]), undefined, undefined).below(layer);
    });
  }
}
