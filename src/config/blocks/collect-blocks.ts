import { childKinds } from '../../kind/define-kind.ts';
import type { Kind, Kinds } from '../../kind/kind.ts';
import { traitsOf } from '../../kind/traits.ts';
import { addressOf } from '../../model/address.ts';
import { type Diagnostic, problem } from '../../model/diagnostic.ts';
import { type CollectionId, collectionId } from '../../model/resource.ts';
import { maskUnknown } from '../fields/schema-options.ts';
import { hintFor, quoted } from '../suggest.ts';
import type { ScalarNode } from '../yaml/nodes.ts';
import { positionOf } from '../yaml/source.ts';
import { type Block, keyNames } from './block.ts';
import {
  blockEntries,
  dataHint,
  isAnchorHolder,
  type ReportAtSpot,
  type Section,
  type SectionEntry,
  sectionEntries,
} from './section-entries.ts';

export interface Collected {
  blocks: Block[];
  /** Collections of which some entries could not be made out, which was reported. */
  uncertain: ReadonlySet<CollectionId>;
}

/** Collects the blocks of all sections, parents before children. */
export function collectBlocks(kinds: Kinds, sections: Section[], diagnostics: Diagnostic[]): Collected {
  return new BlockCollector(kinds, diagnostics).collect(sections);
}

class BlockCollector {
  readonly #kinds: Kinds;
  readonly #diagnostics: Diagnostic[];
  readonly #blocks: Block[] = [];
  readonly #uncertain = new Set<CollectionId>();
  readonly #say: ReportAtSpot = (code, message, spot, hint) => {
    this.#diagnostics.push(problem(code, message, { at: positionOf(spot), hint }));
  };

  constructor(kinds: Kinds, diagnostics: Diagnostic[]) {
    this.#kinds = kinds;
    this.#diagnostics = diagnostics;
  }

  collect(sections: Section[]): Collected {
    this.#visit(undefined, sections);
    return { blocks: this.#blocks, uncertain: this.#uncertain };
  }

  #visit(parent: Block | undefined, sections: Section[]): void {
    for (const kind of childKinds(this.#kinds, parent?.kind.name)) {
      const part = sections.find((section) => section.kind === kind);
      if (!part) continue;
      if (part.section.type === 'map' && part.section.entries.some(({ key }) => key.unusable))
        this.#nothing(kind, parent);
      const found = new Map<string, Block>();
      let index = 0;
      for (const entry of sectionEntries(part, this.#say) ?? this.#nothing(kind, parent)) {
        if (entry.key?.text.startsWith('$')) {
          this.#dollarName(entry.key);
          continue;
        }
        const block = this.#blockOf(entry, kind, parent, index++);
        const isAlone = kind.key.length === 0 || (entry.key !== undefined && !kind.yaml.manyPerKey);
        const identity = isAlone ? block.address : `${block.address}#${index}`;
        const first = found.get(identity);
        if (first) this.#declaredTwice(first, block);
        else found.set(identity, block);
      }
      for (const block of found.values()) {
        this.#blocks.push(block);
        this.#visit(block, block.sections);
      }
    }
  }

  /** Notes that the section's objects are unknown, so that nothing is reported as missing from it. */
  #nothing(kind: Kind, parent: Block | undefined): [] {
    this.#uncertain.add(collectionId(kind.name, parent?.address));
    return [];
  }

  #blockOf({ key, node, at }: SectionEntry, kind: Kind, parent: Block | undefined, index: number): Block {
    const children = childKinds(this.#kinds, kind.name);
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
      fieldEntries: key ? [{ key: { ...key, text: kind.yaml.mapBy! }, value: key }] : [],
      settingEntries: [],
      sections: [],
      index,
    };
    const entries = blockEntries(kind, node, at, this.#say);
    if (!entries) block.isInvalid = true;
    for (const entry of entries ?? []) {
      const { key: name, value } = entry;
      const child = children.find(({ section }) => section === name.text);
      if (name.unusable) continue;
      if (name.isExpanded) this.#dollarName(name);
      else if (name.text.startsWith('$')) block.settingEntries.push(entry);
      else if (child) block.sections.push({ kind: child, section: value, at: name.at });
      else if (key && name.text === kind.yaml.mapBy) {
        if (value.type !== 'scalar' || value.text !== key.text)
          this.#say(
            'config/key-twice',
            `the map key already is \`${kind.yaml.mapBy}\``,
            name.at,
            'remove it here',
          );
      } else if (Object.hasOwn(kind.fields, name.text)) block.fieldEntries.push(entry);
      else {
        maskUnknown(
          name.text,
          value,
          kind.fields,
          children.map(({ section }) => section),
        );
        const valid = [...Object.keys(kind.fields), ...children.map(({ section }) => section)].filter(
          (item) => item !== kind.yaml.mapBy || !key,
        );
        const hint =
          insteadOf(kind, name.text) ??
          anchorHint(name) ??
          dataHint(kind, entries ?? []) ??
          hintFor(name.text, valid);
        const message = `unknown key ${quoted(name.text)} in an entry of \`${kind.section}\``;
        const { address } = block;
        // With the address, so that one of a template names its users.
        this.#diagnostics.push(
          problem('config/unknown-key', message, { address, at: positionOf(name.at), hint }),
        );
      }
    }
    return block;
  }

  #dollarName({ text, at }: ScalarNode): void {
    this.#say(
      'config/dollar-name',
      `${quoted(text)} starts with \`$\`, which names cannot`,
      at,
      text.startsWith('${') ? undefined : 'keys with `$` belong in blocks and are written literally',
    );
  }

  /** Two names of one map that the platform takes for the same. */
  #declaredTwice(first: Block, block: Block): void {
    this.#diagnostics.push(
      problem('config/duplicate', `${first.address} is declared twice`, {
        at: block.position,
        address: first.address,
        hint: 'keep one of the two',
        related: [{ message: 'the first one', at: first.position }],
      }),
    );
  }
}

const anchorHint = (name: ScalarNode): string | undefined =>
  isAnchorHolder(name)
    ? 'put anchors under an `x-` key at the top level of the file, next to the sections'
    : undefined;

/** The hint for a field that people look for here and that has another name. */
const insteadOf = ({ fields }: Kind, name: string): string | undefined =>
  Object.values(fields)
    .map((schema) => traitsOf(schema).insteadOf?.[name])
    .find((hint) => hint !== undefined);
