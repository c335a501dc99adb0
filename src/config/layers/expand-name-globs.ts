import type * as z from 'zod';
import { childKinds, isSingleton } from '../../kind/define-kind.ts';
import type { Kind, Kinds } from '../../kind/kind.ts';
import { referenceOf } from '../../kind/traits.ts';
import type { Reporter } from '../../model/diagnostic.ts';
import { globHint } from '../../model/glob-syntax.ts';
import { type CollectionId, collectionId } from '../../model/resource.ts';
import { type BlockPlace, mapBlocks, mapSections, nearestOfKind } from '../blocks/block.ts';
import type { Section } from '../blocks/section-entries.ts';
import { CountedGlobs } from '../counted-globs.ts';
import { isGlob } from '../expressions/inspect-node.ts';
import type { Growth } from '../growth.ts';
import { quoted } from '../suggest.ts';
import type { UncertainNames } from '../uncertain-names.ts';
import type { Entry, MapNode, Node, ScalarNode } from '../yaml/nodes.ts';
import type { MergeInput } from './merge-context.ts';

/**
 * Returns the sections with globs replaced by the names that they match, in lists and map keys that name
 * other resources, such as `projectIds: [site-*]`. So all later readers see only names. Globs match declared
 * blocks only, not entries that another glob created. A name that is declared exactly as it is written is no
 * glob.
 */
export function expandNameGlobs(sections: Section[], input: MergeInput): Section[] {
  const expander = new NameGlobExpander(input);
  for (const { kind, section } of sections) expander.collectNames(kind, section);
  return expander.expandAll(sections);
}

/** Collects all declared names first, then replaces the globs. */
class NameGlobExpander {
  readonly #kinds: Kinds;
  readonly #report: Reporter;
  readonly #uncertain: UncertainNames;
  readonly #growth: Growth;
  readonly #globs: CountedGlobs;
  /** The names of the declared blocks of each section. */
  readonly #names = new Map<CollectionId, Set<string>>();
  #hasGlobs = false;

  /**
   * Creates the expander that replaces globs such as `site-*` by the declared names that they match, where a
   * configuration names other resources. `growth` counts the names that are added and the steps of matching,
   * because a few globs can produce millions of entries. Problems are added to `report`.
   */
  constructor({ kinds, report, uncertain, globals: { growth } }: MergeInput) {
    this.#kinds = kinds;
    this.#report = report;
    this.#uncertain = uncertain;
    this.#growth = growth;
    // A slash in a name is a character of it.
    this.#globs = new CountedGlobs({ growth, report, rules: { hasParts: false } });
  }

  /**
   * Records the names of all blocks in a section, such as `projects:`, and in the sections inside its blocks. A glob is no name, so blocks
   * under one are left out. Called for all sections before any glob is expanded, because a glob may match a block that is declared later.
   * Also notes if there is any glob at all. `parent`: the block that contains the section; undefined at the root.
   */
  collectNames(kind: Kind, section: Node, parent?: BlockPlace): void {
    const names = new Set<string>();
    this.#names.set(collectionId(kind.name, parent?.address), names);
    // Only visits the blocks: each is returned as it is.
    mapBlocks(kind, section, parent, (block, blockPlace, key) => {
      const isGlobKey = key !== undefined && isGlob(key.text) && kindOfKeys(kind) !== undefined;
      if (isGlobKey) this.#hasGlobs = true;
      else if (key) names.add(key.text);
      if (!this.#hasGlobs && this.#globFields(kind, block).length > 0) this.#hasGlobs = true;
      if (!isGlobKey && block.type === 'map')
        mapSections(childKinds(this.#kinds, kind.name), block, (child, childSection) => {
          this.collectNames(child, childSection, blockPlace);
          return childSection;
        });
      return block;
    });
  }

  /**
   * Returns the sections with all globs in lists and map keys that name other resources, such as `site-*`,
   * replaced by the names that they match. Globs that are invalid or match nothing are left out after a
   * report. Called after `collectNames` has seen all sections, because a glob may match a block that is
   * declared later. If the characters of globs occur only elsewhere, such as in `src/**`, the sections are
   * returned as they are.
   */
  expandAll(sections: Section[]): Section[] {
    if (!this.#hasGlobs) return sections;
    return sections.map((section) => ({
      ...section,
      section: this.#expandSection(section.kind, section.section),
    }));
  }

  /**
   * Returns a section in which globs are replaced by declared names: in its keys, so that one entry `site-*`
   * stands for many, and in its blocks. `parent`: the block that contains the section; undefined at the root.
   */
  #expandSection(kind: Kind, section: Node, parent?: BlockPlace): Node {
    const sectionWithNames =
      section.type === 'map' && !isSingleton(kind)
        ? { ...section, entries: this.#expandKeys(kind, section, parent) }
        : section;
    // Never undefined, because each block is replaced by a block.
    return mapBlocks(kind, sectionWithNames, parent, (block, blockPlace) =>
      this.#expandBlock(kind, block, blockPlace),
    )!;
  }

  /**
   * Returns the entries of a map whose keys name resources, with globs replaced: `site-*: {...}` becomes one entry for each name that
   * matches. An entry with an exact name takes precedence over globs. A key that a resource has as its name is no glob. `parent`: the block
   * that contains the map.
   */
  #expandKeys(kind: Kind, { entries }: MapNode, parent: BlockPlace | undefined): Entry[] {
    const target = kindOfKeys(kind);
    if (target === undefined || !entries.some(({ key }) => isGlob(key.text))) return entries;
    const declaredNames = this.#declaredNamesOf(target, parent);
    const exactKeys = new Set(entries.map(({ key }) => key.text));
    const globByName = new Map<string, ScalarNode>();
    return entries.flatMap((entry): Entry[] => {
      const { key, value } = entry;
      if (!isGlob(key.text) || declaredNames.has(key.text)) return [entry];
      const names = this.#matchingNames(key, declaredNames, target).filter((name) => !exactKeys.has(name));
      const newNames = this.#withoutTwiceMatched(names, key, globByName);
      return newNames.map((name) => ({ key: { ...key, text: name, value: name }, value }));
    });
  }

  /**
   * Returns those names that no earlier glob of a map has matched. Reports the others, because it is not clear which entry is meant.
   * `globByName`: the first glob that matches each name; those of `glob` are added.
   */
  #withoutTwiceMatched(names: string[], glob: ScalarNode, globByName: Map<string, ScalarNode>): string[] {
    const newNames = names.filter((name) => !globByName.has(name));
    for (const name of names) {
      const otherGlob = globByName.get(name);
      if (!otherGlob) globByName.set(name, glob);
      else
        this.#report.error('name/twice', `${quoted(name)} matches two globs`, {
          at: glob,
          hint: 'name it explicitly; an exact name takes precedence over globs',
          related: [{ message: 'the other one', at: otherGlob.at }],
        });
    }
    return newNames;
  }

  /**
   * Returns a block in which the globs of lists that name other resources, such as `projectIds: [site-*]`,
   * are replaced by the matching names, also in its sections. All later readers see plain names only.
   */
  #expandBlock(kind: Kind, node: Node, blockPlace: BlockPlace): Node {
    if (node.type !== 'map') return node;
    const targets = new Map(this.#globFields(kind, node).map(({ key, target }) => [key, target]));
    return mapSections(
      childKinds(this.#kinds, kind.name),
      node,
      (child, section) => this.#expandSection(child, section, blockPlace),
      ({ key, value }) => {
        const target = targets.get(key.text);
        if (target === undefined || value.type !== 'list') return value;
        return { ...value, items: this.#expandItems(value.items, target, blockPlace) };
      },
    );
  }

  /**
   * Returns the items of a list of names with globs such as `site-*` replaced by the declared names that they
   * match, except names that the list has already, so that the plan can compare the list with the account.
   * `target`: the kind of the resources that the items name.
   */
  #expandItems(items: Node[], target: string, blockPlace: BlockPlace): Node[] {
    const declaredNames = this.#declaredNamesOf(target, blockPlace);
    const listedNames = new Set(items.flatMap((item) => (item.type === 'scalar' ? item.text : [])));
    return items.flatMap((item): Node[] => {
      if (item.type !== 'scalar' || !isGlob(item.text) || declaredNames.has(item.text)) return [item];
      return this.#matchingNames(item, declaredNames, target).flatMap((name) => {
        if (listedNames.has(name)) return [];
        listedNames.add(name);
        return [{ ...item, text: name, value: name }];
      });
    });
  }

  /**
   * Returns the names of declared resources that a glob such as `site-*` matches. Reports a glob that is
   * invalid or matches none, because it is probably misspelled. Returns none if globs have produced too many
   * names in all (`#growth` counts them). `target`: the kind of the named resources, for the message.
   */
  #matchingNames(node: ScalarNode, declaredNames: ReadonlySet<string>, target: string): string[] {
    if (this.#growth.isExceeded) return [];
    const glob = this.#globs.compileAt(node.at, node.text);
    if ('fault' in glob) {
      this.#report.error('glob/syntax', glob.fault, { at: node, hint: globHint });
      return [];
    }
    const matches = [...declaredNames].filter(glob.matches);
    const mayBeMissing = this.#uncertain.mayMissIn(this.#kinds.get(target)!.section);
    if (matches.length === 0 && !this.#growth.isExceeded && !mayBeMissing)
      this.#report.error('name/nothing', `no declared ${target} matches ${quoted(node.text)}`, {
        at: node,
        hint: 'globs match declared names only; declare unmanaged ones with `$existing: true`',
      });
    return this.#growth.allows(node.at, { size: matches.length }, this.#report) ? matches : [];
  }

  /**
   * Returns the names that a block can refer to: those of the declared blocks of kind `target`, under the nearest
   * enclosing block that can contain such blocks. Globs are matched with these names.
   */
  #declaredNamesOf(target: string, blockPlace: BlockPlace | undefined): ReadonlySet<string> {
    const container = nearestOfKind(blockPlace, this.#kinds.get(target)?.parent);
    return this.#names.get(collectionId(target, container?.address)) ?? new Set();
  }

  /**
   * Returns the fields of a block in which globs must be replaced by names: lists that name other resources
   * and have an item such as `site-*`, for example `projectIds: [site-*]`. Each result has the key of the
   * field, and as `target` the kind of the resources that the list names.
   */
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

/** Returns the kind whose names the map keys of a section are; undefined if the keys name no other resources. */
function kindOfKeys({ yaml: { mapBy }, fields }: Kind): string | undefined {
  const schema = mapBy === undefined ? undefined : fields[mapBy];
  return schema && referenceOf(schema);
}
