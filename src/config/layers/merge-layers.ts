import type { Kinds } from '../../kind/kind.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Section } from '../blocks/section-entries.ts';
import type { Globals } from '../expressions/scope.ts';
import { quoted } from '../suggest.ts';
import { type Entry, entryOf, isPoisoned, maskUnread, type Node, nowhere } from '../yaml/nodes.ts';
import { layerKeys } from './inspect-node.ts';
import type { Layer, Patch, StackItem } from './layer.ts';
import { LayerMerger, LimitExceeded } from './layer-merger.ts';
import { TemplateStack } from './template-stack.ts';
import type { Template } from './templates.ts';
import { checkUnused, readUse } from './uses.ts';

/** The blocks of a configuration before templates and patches are merged into them. */
export interface WrittenLayers {
  /** The sections of each document. */
  documents: Entry[][];
  /** The sections `templates:`. */
  templates: Node[];
  /** The entries of `use:`. */
  use: Node[];
  /** The entries of `patches:`, in the order in which they are laid. */
  patches: Node[];
}

/** What laying needs to know about the whole configuration, and where it reports problems. */
export interface MergeInput {
  kinds: Kinds;
  globals: Globals;
  diagnostics: Diagnostic[];
}

/**
 * Lays all layers on each other, from the root down. Returns the sections as if the result had been written by hand, with everything that
 * is known now put in. A configuration without templates and patches is returned as it is.
 */
export async function mergeLayers(
  written: WrittenLayers,
  { kinds, globals, diagnostics }: MergeInput,
): Promise<Section[]> {
  const templates = await readTemplatesIfAny(written.templates, kinds, diagnostics);
  const layering = new LayerMerger(kinds, globals, templates, diagnostics);
  const sections = new RootLaying(layering).lay(written);
  layering.maskUnlaid();
  if (!globals.incomplete) checkUnused(layering.usedTemplates, { kinds, templates, diagnostics });
  return sections;
}

/** Reads the templates. Their code holds a whole engine for regular expressions, so it is loaded only if there are some. */
async function readTemplatesIfAny(
  sections: Node[],
  kinds: Kinds,
  diagnostics: Diagnostic[],
): Promise<Map<string, Template>> {
  if (sections.length === 0) return new Map();
  return (await import('./templates.ts')).readTemplates(sections, kinds, diagnostics);
}

/** Lays the documents, the entries of `use:` and the patches at the root of the configuration. */
class RootLaying {
  readonly #layering: LayerMerger;

  constructor(layering: LayerMerger) {
    this.#layering = layering;
  }

  /** Lays everything at the root, and then reports paths that matched nothing. Returns no sections if a limit was exceeded. */
  lay({ documents, use, patches }: WrittenLayers): Section[] {
    try {
      const items: StackItem[] = documents.map((entries) => ({
        layer: {
          node: { type: 'map', at: nowhere, entries },
          at: nowhere,
          scope: this.#layering.globals,
          rank: 'own',
          fragment: {},
        },
      }));
      for (const node of use) items.push(...this.#use(node));
      const readPatches = patches.flatMap((node) => {
        const patch = this.#patch(node);
        if (!patch) maskUnread(node);
        return patch ?? [];
      });
      const { sections } = this.#layering.merge(undefined, undefined, [
        ...items,
        ...readPatches.map((patch) => ({ patch })),
      ]);
      for (const { path, layer } of readPatches) {
        if (path.status.hasMatched) continue;
        maskUnread(layer.node);
        if (!this.#layering.isEnabled(layer, undefined)) path.status.hasMatched = true;
      }
      for (const { status, at, text, isRelative } of this.#layering.targetPaths.values())
        if (!status.hasMatched)
          this.#layering
            .reporterFor()
            .error(
              'patch/nothing',
              isRelative
                ? `lower layers have nothing at ${quoted(text)}`
                : `there is nothing at ${quoted(text)}`,
              {
                at,
                hint: isRelative
                  ? 'paths are relative to the block: `env/LEGAL`, `firewall/rules`, `framework`'
                  : 'addresses look like `projects/web/env/LOG_LEVEL`, with globs as in --target',
              },
            );
      return sections;
    } catch (error) {
      if (error instanceof LimitExceeded) return [];
      throw error;
    }
  }

  /** Reads one entry of `patches:`. Returns undefined after a report. */
  #patch(node: Node): Patch | undefined {
    const report = this.#layering.reporterFor();
    const at = node.type === 'map' ? entryOf(node, '$at') : undefined;
    if (node.type !== 'map' || !at) {
      const hint = '- { $at: projects/web, framework: nextjs }';
      report.error('patch/form', 'a patch must be a map with `$at`', { at: node, hint });
      return undefined;
    }
    const each = entryOf(node, '$each');
    if (each)
      report.error('each/not-here', '`$each` is for resource entries, not patches', {
        at: each.key,
        hint: 'use globs in `$at`',
      });
    const { secrets: _, lookups: __, ...scope } = this.#layering.globals;
    const text = this.#layering.expandIn({ scope }, undefined)(at.value);
    if (text.type !== 'scalar' || text.text === '') {
      const hint = 'projects/web, or projects/site-*';
      if (!isPoisoned(text))
        report.error('patch/form', '`$at` must be an address or an address glob', { at: at.value, hint });
      return undefined;
    }
    const entries = node.entries.filter((entry) => entry !== at && entry !== each);
    return {
      path: this.#layering.targetPath(text.text, at.value),
      layer: {
        node: { ...node, entries },
        at: at.key.at,
        scope: this.#layering.globals,
        rank: 'patch',
        fragment: undefined,
      },
    };
  }

  /** Returns the layers of the templates that one entry of `use:` names. */
  #use(node: Node): StackItem[] {
    const base: Layer = {
      node,
      at: node.at,
      scope: this.#layering.globals,
      rank: 'own',
      fragment: undefined,
    };
    return this.#layering.expandEach(base, undefined).flatMap((instance) => {
      if (!this.#layering.isEnabled(instance, undefined)) return [];
      const useNode: Node =
        node.type === 'map'
          ? { ...node, entries: node.entries.filter(({ key }) => !layerKeys.has(key.text)) }
          : node;
      // Each instance is a part of its own: none overrides another.
      const layer: Layer = { ...instance, fragment: {} };
      const uses = readUse(useNode, this.#layering.reporterFor());
      return new TemplateStack(this.#layering, new Map([[layer, uses]]), undefined, undefined).below(layer);
    });
  }
}
