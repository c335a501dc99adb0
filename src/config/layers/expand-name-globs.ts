import type * as z from 'zod';
import { childKinds } from '../../kind/define-kind.ts';
import type { Kind, Kinds } from '../../kind/kind.ts';
import { referenceOf } from '../../kind/traits.ts';
import { type Diagnostic, Reporter } from '../../model/diagnostic.ts';
import { globHint } from '../../model/glob-syntax.ts';
import { type CollectionId, collectionId } from '../../model/resource.ts';
import { type BlockPlace, mapBlocks, mapSections } from '../blocks/map-blocks.ts';
import type { Section } from '../blocks/section-entries.ts';
import { CountedGlobs } from '../counted-globs.ts';
import type { Growth } from '../growth.ts';
import { quoted } from '../suggest.ts';
import type { Entry, MapNode, Node, ScalarNode } from '../yaml/nodes.ts';
import { isGlob } from './inspect-node.ts';
import type { MergeInput } from './merge-layers.ts';

/**
 * Replaces globs by the names that they match, in lists and map keys that name other resources (`projectId: [site-*]`). Globs match
 * declared blocks only, not entries that another glob created. A name that is declared exactly as it is written is no glob.
 */
export function expandNameGlobs(
  sections: Section[],
  { kinds, diagnostics, globals: { growth } }: MergeInput,
): Section[] {
  const spreading = new Spreading(kinds, diagnostics, growth);
  for (const { kind, section } of sections) spreading.collect(kind, section);
  return spreading.spreadAll(sections);
}

/** Collects all declared names first, then replaces the globs. */
class Spreading {
  readonly #kinds: Kinds;
  readonly #diagnostics: Diagnostic[];
  readonly #growth: Growth;
  readonly #globs: CountedGlobs;
  readonly #names = new Map<CollectionId, Set<string>>();
  #hasGlobs = false;

  constructor(kinds: Kinds, diagnostics: Diagnostic[], growth: Growth) {
    this.#kinds = kinds;
    this.#diagnostics = diagnostics;
    this.#growth = growth;
    // A slash in a name is a character of it.
    this.#globs = new CountedGlobs({ growth, diagnostics, rules: { hasParts: false } });
  }

  /** Records the names of all blocks in a section that is a map, and in the sections of its blocks. */
  collect(kind: Kind, section: Node, blockPlace?: BlockPlace): void {
    const names = new Set<string>();
    this.#names.set(collectionId(kind.name, blockPlace?.address), names);
    mapBlocks(kind, section, blockPlace, (block, blockPlace, key) => {
      const isSpread = key !== undefined && isGlob(key.text) && kindOfKeys(kind) !== undefined;
      if (isSpread) this.#hasGlobs = true;
      else if (key) names.add(key.text);
      if (!this.#hasGlobs && this.#globFields(kind, block).length > 0) this.#hasGlobs = true;
      if (!isSpread && block.type === 'map')
        mapSections(childKinds(this.#kinds, kind.name), block, (child, inner) => {
          this.collect(child, inner, blockPlace);
          return inner;
        });
      return block;
    });
  }

  /** Returns the sections with their globs replaced; unchanged if there are none. */
  spreadAll(sections: Section[]): Section[] {
    if (!this.#hasGlobs) return sections;
    return sections.map((section) => ({ ...section, section: this.#section(section.kind, section.section) }));
  }

  /** Replaces the globs in a section. */
  #section(kind: Kind, section: Node, blockPlace?: BlockPlace): Node {
    const spreadSection =
      section.type === 'map' && kind.key.length > 0
        ? { ...section, entries: this.#keys(kind, section, blockPlace) }
        : section;
    return mapBlocks(kind, spreadSection, blockPlace, (block, blockPlace) =>
      this.#block(kind, block, blockPlace),
    )!;
  }

  /** Returns the entries of a map with globs in keys replaced. Reports a name that matches two globs. An exact key overrides globs. */
  #keys(kind: Kind, { entries }: MapNode, blockPlace: BlockPlace | undefined): Entry[] {
    const target = kindOfKeys(kind);
    if (target === undefined || !entries.some(({ key }) => isGlob(key.text))) return entries;
    const declared = this.#near(target, blockPlace);
    const exactKeys = new Set(entries.map(({ key }) => key.text));
    const globOfName = new Map<string, ScalarNode>();
    return entries.flatMap((entry): Entry[] => {
      const { key } = entry;
      if (!isGlob(key.text) || declared.has(key.text)) return [entry];
      return this.#matching(key, declared, target)
        .filter((name) => !exactKeys.has(name))
        .flatMap((name) => {
          const otherGlob = globOfName.get(name);
          if (otherGlob)
            new Reporter(this.#diagnostics).error('name/twice', `${quoted(name)} matches two globs`, {
              at: key,
              hint: 'name it explicitly; an exact name takes precedence over globs',
              related: [{ message: 'the other one', at: otherGlob.at }],
            });
          globOfName.set(name, otherGlob ?? key);
          return otherGlob ? [] : [{ key: { ...key, text: name, value: name }, value: entry.value }];
        });
    });
  }

  /** Replaces the globs in the fields and sections of a block. */
  #block(kind: Kind, node: Node, blockPlace: BlockPlace): Node {
    if (node.type !== 'map') return node;
    const targets = new Map(this.#globFields(kind, node).map(({ key, target }) => [key, target]));
    return mapSections(
      childKinds(this.#kinds, kind.name),
      node,
      (child, inner) => this.#section(child, inner, blockPlace),
      ({ key, value }) => {
        const target = targets.get(key.text);
        if (target === undefined || value.type !== 'list') return value;
        return { ...value, items: this.#items(value.items, target, blockPlace) };
      },
    );
  }

  /** Returns the items of a list with globs replaced, without duplicates. */
  #items(items: Node[], target: string, blockPlace: BlockPlace): Node[] {
    const declared = this.#near(target, blockPlace);
    const listedNames = new Set(items.flatMap((item) => (item.type === 'scalar' ? item.text : [])));
    return items.flatMap((item): Node[] => {
      if (item.type !== 'scalar' || !isGlob(item.text) || declared.has(item.text)) return [item];
      return this.#matching(item, declared, target).flatMap((name) => {
        if (listedNames.has(name)) return [];
        listedNames.add(name);
        return [{ ...item, text: name, value: name }];
      });
    });
  }

  /** Returns the declared names that a glob matches. Reports a glob that matches none. */
  #matching(node: ScalarNode, declared: ReadonlySet<string>, target: string): string[] {
    if (this.#growth.isExceeded) return [];
    const report = new Reporter(this.#diagnostics);
    const glob = this.#globs.compileAt(node.at, node.text);
    if ('fault' in glob) {
      report.error('glob/syntax', glob.fault, { at: node, hint: globHint });
      return [];
    }
    const matches = [...declared].filter(glob.matches);
    if (matches.length === 0 && !this.#growth.isExceeded)
      report.error('name/nothing', `no declared ${target} matches ${quoted(node.text)}`, {
        at: node,
        hint: 'globs match declared names only; declare unmanaged ones with `$existing: true`',
      });
    return this.#growth.allows(node.at, { size: matches.length }, this.#diagnostics) ? matches : [];
  }

  /** Returns the names of the declared blocks of a kind, under the nearest enclosing block that can contain them. */
  #near(target: string, blockPlace: BlockPlace | undefined): ReadonlySet<string> {
    const parent = this.#kinds.get(target)?.parent;
    let holder = blockPlace;
    while (holder && holder.kind.name !== parent) holder = holder.parent;
    return this.#names.get(collectionId(target, holder?.address)) ?? new Set();
  }

  /** Returns the fields of a block that are lists of names with a glob among them, each with the kind that it names. */
  #globFields(kind: Kind, node: Node): { key: string; target: string }[] {
    if (node.type !== 'map') return [];
    return node.entries.flatMap(({ key, value }) => {
      if (value.type !== 'list' || !Object.hasOwn(kind.fields, key.text)) return [];
      const hasGlob = value.items.some((item) => item.type === 'scalar' && isGlob(item.text));
      const target = hasGlob ? referenceOf(kind.fields[key.text] as z.ZodType) : undefined;
      return target === undefined ? [] : [{ key: key.text, target }];
    });
  }
}

/** Returns the kind whose names the map keys of a section are; undefined if they name nothing else. */
function kindOfKeys({ yaml: { mapBy }, fields }: Kind): string | undefined {
  const schema = mapBy === undefined ? undefined : fields[mapBy];
  return schema && referenceOf(schema);
}
