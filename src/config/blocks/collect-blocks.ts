import { childKinds, isSingleton } from '../../kind/define-kind.ts';
import type { Kind, Kinds } from '../../kind/kind.ts';
import { traitsOf } from '../../kind/traits.ts';
import { addressOf } from '../../model/address.ts';
import type { Reporter } from '../../model/diagnostic.ts';
import { type CollectionId, collectionId } from '../../model/resource.ts';
import { guessMeantName } from '../../model/similar-name.ts';
import { maskUnknown } from '../fields/schema-options.ts';
import { hintForKey } from '../key-hint.ts';
import { quoted } from '../suggest.ts';
import type { UncertainNames } from '../uncertain-names.ts';
import type { Entry, ScalarNode } from '../yaml/nodes.ts';
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
   * Collections with entries that could not be read. Such an entry may declare any object of its collection, so no
   * reference into it is reported as undeclared.
   */
  uncertain: ReadonlySet<CollectionId>;
}

/** What collecting blocks needs from the whole configuration. */
interface CollectInput {
  kinds: Kinds;
  report: Reporter;
  /** Where entries are missing because of a problem that was reported. */
  uncertain: UncertainNames;
}

/**
 * Collects the blocks of all sections, parents before children. This is the first step from sections to
 * resources: it sorts keys and reports unknown and duplicate ones, but reads no value.
 */
export function collectBlocks({ kinds, report, uncertain }: CollectInput, sections: Section[]): Collected {
  return new BlockCollector(kinds, report, uncertain).collect(sections);
}

/** Collects blocks from nested sections; `collectBlocks` is its only caller. */
class BlockCollector {
  readonly #kinds: Kinds;
  readonly #blocks: Block[] = [];
  readonly #uncertain = new Set<CollectionId>();
  readonly #report: Reporter;
  readonly #uncertainNames: UncertainNames;

  /**
   * Creates the collector of the blocks of one configuration. `uncertainNames`: where entries are missing because of a problem that was
   * reported.
   */
  constructor(kinds: Kinds, report: Reporter, uncertainNames: UncertainNames) {
    this.#kinds = kinds;
    this.#report = report;
    this.#uncertainNames = uncertainNames;
  }

  collect(sections: Section[]): Collected {
    this.#visit(undefined, sections);
    return { blocks: this.#blocks, uncertain: this.#uncertain };
  }

  /**
   * Collects the blocks in `sections`, each followed by the blocks inside it. So a parent comes before its children, because they are read
   * with its fields. Also records collections in which the merge of layers may have left out entries, even if the section is missing.
   * `parent`: the block that contains the sections; undefined at the root.
   */
  #visit(parent: Block | undefined, sections: Section[]): void {
    for (const kind of childKinds(this.#kinds, parent?.kind.name)) {
      if (this.#mayMissEntries(kind, parent)) this.#uncertain.add(collectionId(kind.name, parent?.address));
      const section = sections.find((section) => section.kind === kind);
      if (!section) continue;
      for (const block of this.#createBlocks(section, parent)) {
        this.#blocks.push(block);
        this.#visit(block, block.sections);
      }
    }
  }

  /** True if entries of a section could not be determined when layers were merged, even if the section is missing for that reason. */
  #mayMissEntries(kind: Kind, parent: Block | undefined): boolean {
    if (this.#uncertainNames.isEmpty) return false;
    return this.#uncertainNames.isUncertain(addressOf(parent?.address, kind.section, []));
  }

  /**
   * Returns the blocks of one section, such as `projects:`, one for each entry. Entries with the same address are reported, and only the
   * first is kept; keys that begin with `$` are reported and left out. If the section or one of its keys could not be read, the section is
   * recorded as uncertain, so that references to a name that is missing there are not reported as undeclared.
   */
  #createBlocks(childSection: Section, parent: Block | undefined): Iterable<Block> {
    const { kind, section } = childSection;
    const entries = sectionEntries(childSection, this.#report);
    const hasUnusableKey = section.type === 'map' && section.entries.some(({ key }) => key.unusable);
    if (!entries || hasUnusableKey) this.#uncertain.add(collectionId(kind.name, parent?.address));
    const blocksById = new Map<string, Block>();
    let index = 0;
    for (const entry of entries ?? []) {
      if (entry.key?.text.startsWith('$')) {
        this.#reportDollarName(entry.key);
        continue;
      }
      const block = this.#createBlock(entry, kind, parent, index++);
      // The address of an item of a list, and of several entries under one key, is complete only after the fields are read. So these are
      // not compared here.
      const hasUniqueAddress = isSingleton(kind) || (entry.key !== undefined && !kind.yaml.manyPerKey);
      const identity = hasUniqueAddress ? block.address : `${block.address}#${index}`;
      const duplicate = blocksById.get(identity);
      if (duplicate) this.#reportDuplicate(duplicate, block);
      else blocksById.set(identity, block);
    }
    return blocksById.values();
  }

  /**
   * Creates the block of one entry of a section, such as one project under `projects:`. Its keys are sorted
   * into fields, settings (`$...`) and sections, since each has its own reader; other keys are reported. An
   * item of a list has no map key: its address ends in its position (`#0`) until its fields are read.
   * `index`: its position in the section.
   */
  #createBlock({ key, node, at }: SectionEntry, kind: Kind, parent: Block | undefined, index: number): Block {
    const namesWithoutKey = isSingleton(kind) ? [] : [`#${index}`];
    const names = key ? keyNames(kind, key.text) : namesWithoutKey;
    const block: Block = {
      kind,
      parent,
      address: addressOf(parent?.address, kind.section, names),
      key,
      at,
      // The map key is the value of a field, such as the name of a project.
      fieldEntries: key ? [{ key: { ...key, text: kind.yaml.mapBy! }, value: key }] : [],
      settingEntries: [],
      sections: [],
      index,
    };
    const entries = blockEntries(kind, node, at, this.#report);
    if (!entries) block.isInvalid = true;
    else for (const entry of entries) this.#sortEntry(entry, block, entries);
    return block;
  }

  /**
   * Adds one entry of a block to its fields, its settings (`$...`) or its sections, or reports its key. The
   * value of an unknown key is masked, because it may be a misspelled secret. `siblings`: all entries of the
   * block. A field that repeats the map key is allowed if it has the same value. A key that begins with `$` only
   * after its expressions were replaced (`isExpanded`) is no setting.
   */
  #sortEntry(entry: Entry, block: Block, siblings: Entry[]): void {
    const { kind, key } = block;
    const { key: name, value } = entry;
    if (name.unusable) return;
    const children = childKinds(this.#kinds, kind.name);
    const child = children.find(({ section }) => section === name.text);
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
      const sections = children.map(({ section }) => section);
      maskUnknown(name.text, value, kind.fields, sections);
      this.#reportUnknownKey(name, block, sections, siblings);
    }
  }

  /**
   * Reports a key of a block that is no field, setting or section of its kind, with the best available hint. A
   * misspelled field would otherwise be ignored silently. Adds the field that the key probably means to
   * `misspelledFields` of the block. `siblings`: all entries of the block.
   */
  #reportUnknownKey(name: ScalarNode, block: Block, sections: string[], siblings: Entry[]): void {
    const { kind, key, address } = block;
    const fields = Object.keys(kind.fields).filter((field) => field !== kind.yaml.mapBy || !key);
    const meantField = guessMeantName(name.text, fields);
    const isMisspelled = meantField !== undefined && !siblings.some((entry) => entry.key.text === meantField);
    if (isMisspelled) block.misspelledFields = [...(block.misspelledFields ?? []), meantField];
    const hint =
      commonMistakeHint(kind, name.text) ??
      anchorHint(name) ??
      dataHint(kind, siblings) ??
      hintForKey(name.text, { kinds: this.#kinds, kind, validKeys: [...fields, ...sections] });
    const message = `unknown key ${quoted(name.text)} in an entry of \`${kind.section}\``;
    // The address is there so that a problem in a template names the blocks that use it.
    this.#report.error('config/unknown-key', message, { address, at: name, hint });
  }

  /**
   * Reports the name of a resource or field that begins with `$`, as in `projects: { $web: ... }`. Keys with `$` are settings such as
   * `$id`, so the meaning of the name would be unclear.
   */
  #reportDollarName({ text, at }: ScalarNode): void {
    this.#report.error('config/dollar-name', `${quoted(text)} starts with \`$\`, which names cannot`, {
      at,
      hint: text.startsWith('${') ? undefined : 'keys with `$` belong in blocks and are written literally',
    });
  }

  /**
   * Reports two map keys of a section that are different texts but one name for the platform, such as two spellings of a domain, because
   * both blocks would declare one object. The caller drops the second block.
   */
  #reportDuplicate(first: Block, block: Block): void {
    this.#report.error('config/duplicate', `${first.address} is declared twice`, {
      at: block.at,
      address: first.address,
      hint: 'keep one of the two',
      related: [{ message: 'the first one', at: first.at }],
    });
  }
}

/**
 * Returns the hint for an unknown key of a block that looks as if it only holds a YAML anchor to copy from (`x-common: &common`), which
 * belongs elsewhere; undefined for other keys.
 */
const anchorHint = (name: ScalarNode): string | undefined =>
  isAnchorHolder(name)
    ? 'put anchors under an `x-` key at the top level of the file, next to the sections'
    : undefined;

/**
 * Returns the hint for an unknown key of a block that people often write instead of a field. The trait `insteadOf` of a field lists such
 * keys.
 */
const commonMistakeHint = ({ fields }: Kind, name: string): string | undefined =>
  Object.values(fields)
    .map((schema) => traitsOf(schema).insteadOf ?? {})
    .find((hints) => Object.hasOwn(hints, name))?.[name];
