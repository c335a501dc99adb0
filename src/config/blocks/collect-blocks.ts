import { childKinds } from '../../kind/define-kind.ts';
import type { Kind, Kinds } from '../../kind/kind.ts';
import { traitsOf } from '../../kind/traits.ts';
import { addressOf } from '../../model/address.ts';
import { type Diagnostic, Reporter } from '../../model/diagnostic.ts';
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
  type Section,
  type SectionEntry,
  sectionEntries,
} from './section-entries.ts';

/** The blocks of a configuration, parents before children. */
export interface Collected {
  blocks: Block[];
  /**
   * Collections with entries that could not be read. No object of them may be called undeclared, since that entry may declare
   * it.
   */
  uncertain: ReadonlySet<CollectionId>;
}

/**
 * Collects the blocks of all sections, parents before children. This is the first step from sections to resources: keys are
 * sorted and duplicate keys reported, but no value is read.
 */
export function collectBlocks(kinds: Kinds, sections: Section[], diagnostics: Diagnostic[]): Collected {
  return new BlockCollector(kinds, diagnostics).collect(sections);
}

class BlockCollector {
  readonly #kinds: Kinds;
  readonly #blocks: Block[] = [];
  readonly #uncertain = new Set<CollectionId>();
  readonly #report: Reporter;

  constructor(kinds: Kinds, diagnostics: Diagnostic[]) {
    this.#kinds = kinds;
    this.#report = new Reporter(diagnostics);
  }

  collect(sections: Section[]): Collected {
    this.#visit(undefined, sections);
    return { blocks: this.#blocks, uncertain: this.#uncertain };
  }

  /** Collects the blocks in `sections`, then those in each of these blocks. */
  #visit(parent: Block | undefined, sections: Section[]): void {
    for (const kind of childKinds(this.#kinds, parent?.kind.name)) {
      const childSection = sections.find((section) => section.kind === kind);
      if (!childSection) continue;
      if (childSection.section.type === 'map' && childSection.section.entries.some(({ key }) => key.unusable))
        this.#markUncertain(kind, parent);
      const blocksById = new Map<string, Block>();
      let index = 0;
      for (const entry of sectionEntries(childSection, this.#report) ?? this.#markUncertain(kind, parent)) {
        if (entry.key?.text.startsWith('$')) {
          this.#reportDollarName(entry.key);
          continue;
        }
        const block = this.#createBlock(entry, kind, parent, index++);
        const hasUniqueAddress = kind.key.length === 0 || (entry.key !== undefined && !kind.yaml.manyPerKey);
        const identity = hasUniqueAddress ? block.address : `${block.address}#${index}`;
        const duplicate = blocksById.get(identity);
        if (duplicate) this.#reportDuplicate(duplicate, block);
        else blocksById.set(identity, block);
      }
      for (const block of blocksById.values()) {
        this.#blocks.push(block);
        this.#visit(block, block.sections);
      }
    }
  }

  /** Records that the objects of a section are not known, so that none is reported as undeclared. Returns no entries. */
  #markUncertain(kind: Kind, parent: Block | undefined): [] {
    this.#uncertain.add(collectionId(kind.name, parent?.address));
    return [];
  }

  /** Creates the block of an entry and sorts its keys into fields, settings and sections. Reports keys that are none of these. */
  #createBlock({ key, node, at }: SectionEntry, kind: Kind, parent: Block | undefined, index: number): Block {
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
    const entries = blockEntries(kind, node, at, this.#report);
    if (!entries) block.isInvalid = true;
    for (const entry of entries ?? []) {
      const { key: name, value } = entry;
      const child = children.find(({ section }) => section === name.text);
      if (name.unusable) continue;
      if (name.isExpanded) this.#reportDollarName(name);
      else if (name.text.startsWith('$')) block.settingEntries.push(entry);
      else if (child) block.sections.push({ kind: child, section: value, at: name.at });
      else if (key && name.text === kind.yaml.mapBy) {
        if (value.type !== 'scalar' || value.text !== key.text)
          this.#report.error('config/key-twice', `the map key already is \`${kind.yaml.mapBy}\``, {
            at: name,
            hint: 'remove it here',
          });
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
          commonMistakeHint(kind, name.text) ??
          anchorHint(name) ??
          dataHint(kind, entries ?? []) ??
          hintFor(name.text, valid);
        const message = `unknown key ${quoted(name.text)} in an entry of \`${kind.section}\``;
        const { address } = block;
        // The address is there so that a problem in a template names the blocks that use it.
        this.#report.error('config/unknown-key', message, { address, at: name, hint });
      }
    }
    return block;
  }

  /**
   * Reports a name that begins with `$`. Keys with `$` are settings, and names with it are not allowed, so that both are never
   * confused.
   */
  #reportDollarName({ text, at }: ScalarNode): void {
    this.#report.error('config/dollar-name', `${quoted(text)} starts with \`$\`, which names cannot`, {
      at,
      hint: text.startsWith('${') ? undefined : 'keys with `$` belong in blocks and are written literally',
    });
  }

  /** Reports two map keys that are different texts, but one name for the platform. */
  #reportDuplicate(first: Block, block: Block): void {
    this.#report.error('config/duplicate', `${first.address} is declared twice`, {
      at: block.position,
      address: first.address,
      hint: 'keep one of the two',
      related: [{ message: 'the first one', at: first.position }],
    });
  }
}

/** Returns the hint for an unknown key that looks like a holder of an anchor. */
const anchorHint = (name: ScalarNode): string | undefined =>
  isAnchorHolder(name)
    ? 'put anchors under an `x-` key at the top level of the file, next to the sections'
    : undefined;

/**
 * Returns the hint for a key that is not a field, but that people often write for one (the trait `insteadOf` of the field lists
 * such keys).
 */
const commonMistakeHint = ({ fields }: Kind, name: string): string | undefined =>
  Object.values(fields)
    .map((schema) => traitsOf(schema).insteadOf?.[name])
    .find((hint) => hint !== undefined);
