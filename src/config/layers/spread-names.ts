import type * as z from 'zod';
import { childKinds } from '../../kind/define-kind.ts';
import type { Kind, Kinds } from '../../kind/kind.ts';
import { referenceOf } from '../../kind/traits.ts';
import { type Address, addressOf } from '../../model/address.ts';
import { globTest } from '../../model/address-glob.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { type CollectionId, collectionId } from '../../model/resource.ts';
import { keyNames } from '../blocks/block.ts';
import type { Section } from '../blocks/section-entries.ts';
import { quoted } from '../suggest.ts';
import type { Entry, MapNode, Node, ScalarNode } from '../yaml/nodes.ts';
import { sayingTo } from './layer.ts';

/**
 * Puts names in place of globs, in lists and map keys that name other resources (`projectId: [site-*]`). They match declared blocks, and
 * none that a glob made. A name that is declared as it is written is that name.
 */
export function spreadNames(sections: Section[], kinds: Kinds, diagnostics: Diagnostic[]): Section[] {
  const spreading = new Spreading(kinds, diagnostics);
  spreading.collect(sections, undefined);
  return spreading.spreadAll(sections, undefined);
}

const isGlob = (text: string): boolean => /[*?{[]/.test(text);

/** The blocks around a place, from the inside: the kind and the address of each. */
interface Around {
  kind: string;
  address: Address;
  parent: Around | undefined;
}

class Spreading {
  readonly #kinds: Kinds;
  readonly #diagnostics: Diagnostic[];
  readonly #names = new Map<CollectionId, string[]>();
  #hasGlobs = false;

  constructor(kinds: Kinds, diagnostics: Diagnostic[]) {
    this.#kinds = kinds;
    this.#diagnostics = diagnostics;
  }

  /** Notes the names of all blocks in sections that are maps. */
  collect(sections: Section[], parent: Address | undefined): void {
    for (const { kind, section } of sections) {
      const names: string[] = [];
      this.#names.set(collectionId(kind.name, parent), names);
      for (const { key, block } of blocksOf(kind, section)) {
        const isSpread = key !== undefined && isGlob(key.text) && keyRef(kind) !== undefined;
        if (isSpread) this.#hasGlobs = true;
        else if (key) names.push(key.text);
        if (!this.#hasGlobs && this.#globFields(kind, block).length > 0) this.#hasGlobs = true;
        if (!isSpread)
          this.collect(
            this.#sectionsOf(kind, block),
            addressOf(parent, kind.section, key ? keyNames(kind, key.text) : []),
          );
      }
    }
  }

  spreadAll(sections: Section[], around: Around | undefined): Section[] {
    if (!this.#hasGlobs) return sections;
    return sections.map((section) => ({ ...section, section: this.#section(section, around) }));
  }

  #section({ kind, section }: Section, around: Around | undefined): Node {
    const inside = (key: ScalarNode | undefined): Around => ({
      kind: kind.name,
      address: addressOf(around?.address, kind.section, key ? keyNames(kind, key.text) : []),
      parent: around,
    });
    if (kind.key.length === 0) return this.#block(kind, section, inside(undefined));
    if (section.type === 'list')
      return { ...section, items: section.items.map((item) => this.#block(kind, item, inside(undefined))) };
    if (section.type !== 'map' || kind.yaml.mapBy === undefined) return section;
    const entries = this.#keys(kind, section, around).map(({ key, value }): Entry => {
      if (value.type !== 'list' || !kind.yaml.manyPerKey)
        return { key, value: this.#block(kind, value, inside(key)) };
      return {
        key,
        value: { ...value, items: value.items.map((item) => this.#block(kind, item, inside(key))) },
      };
    });
    return { ...section, entries };
  }

  /** The entries of a map of which some keys may be globs. */
  #keys(kind: Kind, { entries }: MapNode, around: Around | undefined): Entry[] {
    const target = keyRef(kind);
    if (target === undefined || !entries.some(({ key }) => isGlob(key.text))) return entries;
    const declared = this.#near(target, around);
    const exact = new Set(entries.map(({ key }) => key.text));
    const made = new Map<string, ScalarNode>();
    return entries.flatMap((entry): Entry[] => {
      const { key } = entry;
      if (!isGlob(key.text) || declared.includes(key.text)) return [entry];
      return this.#matching(key, declared, target)
        .filter((name) => !exact.has(name))
        .flatMap((name) => {
          const first = made.get(name);
          if (first)
            sayingTo(this.#diagnostics)(
              'name/twice',
              `${quoted(name)} matches two globs`,
              key.at,
              'name it explicitly; an exact name takes precedence over globs',
              [{ message: 'the other one', at: first.at }],
            );
          made.set(name, first ?? key);
          return first ? [] : [{ key: { ...key, text: name, value: name }, value: entry.value }];
        });
    });
  }

  #block(kind: Kind, node: Node, around: Around): Node {
    if (node.type !== 'map') return node;
    const sections = new Map(this.#sectionsOf(kind, node).map((one) => [one.kind.section, one]));
    const globs = new Map(this.#globFields(kind, node).map(({ key, target }) => [key, target]));
    const entries = node.entries.map((entry): Entry => {
      const section = sections.get(entry.key.text);
      if (section) return { key: entry.key, value: this.#section(section, around) };
      const target = globs.get(entry.key.text);
      if (target === undefined || entry.value.type !== 'list') return entry;
      return {
        key: entry.key,
        value: { ...entry.value, items: this.#items(entry.value.items, target, around) },
      };
    });
    return { ...node, entries };
  }

  #items(items: Node[], target: string, around: Around): Node[] {
    const declared = this.#near(target, around);
    const named = new Set(items.flatMap((item) => (item.type === 'scalar' ? item.text : [])));
    return items.flatMap((item): Node[] => {
      if (item.type !== 'scalar' || !isGlob(item.text) || declared.includes(item.text)) return [item];
      return this.#matching(item, declared, target).flatMap((name) => {
        if (named.has(name)) return [];
        named.add(name);
        return [{ ...item, text: name, value: name }];
      });
    });
  }

  /** The names that a glob matches. */
  #matching(node: ScalarNode, declared: string[], target: string): string[] {
    const found = declared.filter(globTest(node.text));
    if (found.length === 0)
      sayingTo(this.#diagnostics)(
        'name/nothing',
        `no declared ${target} matches ${quoted(node.text)}`,
        node.at,
        'globs match declared names only; declare unmanaged ones with `$existing: true`',
      );
    return found;
  }

  /** The names of the declared blocks of a kind, under the nearest block around that can hold them. */
  #near(target: string, around: Around | undefined): string[] {
    const parent = this.#kinds.get(target)?.parent;
    let holder = around;
    while (holder && holder.kind !== parent) holder = holder.parent;
    return this.#names.get(collectionId(target, holder?.address)) ?? [];
  }

  #sectionsOf(kind: Kind, node: Node): Section[] {
    if (node.type !== 'map') return [];
    return childKinds(this.#kinds, kind.name).flatMap((child) => {
      const entry = node.entries.find(({ key }) => key.text === child.section);
      return entry ? [{ kind: child, section: entry.value, at: entry.key.at }] : [];
    });
  }

  /** The fields of a block that are lists of names with a glob among them. */
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

/** The kind of which a map's keys are names. */
function keyRef({ yaml: { mapBy }, fields }: Kind): string | undefined {
  const schema = mapBy === undefined ? undefined : fields[mapBy];
  return schema && referenceOf(schema);
}

function blocksOf(kind: Kind, section: Node): { key?: ScalarNode; block: Node }[] {
  if (kind.key.length === 0) return [{ block: section }];
  if (section.type === 'list') return section.items.map((block) => ({ block }));
  if (section.type !== 'map' || kind.yaml.mapBy === undefined) return [];
  return section.entries.flatMap(({ key, value }) =>
    kind.yaml.manyPerKey && value.type === 'list'
      ? value.items.map((block) => ({ key, block }))
      : [{ key, block: value }],
  );
}
