import { addressPathOf, canDo, childKinds } from '../kind/define-kind.ts';
import { findDuplicateDescriptions } from '../kind/duplicate-descriptions.ts';
import type { Kind, Kinds, Label } from '../kind/kind.ts';
import { traitsOf } from '../kind/traits.ts';
import { type Address, addressOf, byAddress, escapeName, isWithin, lastNameOf } from '../model/address.ts';
import { groupBy } from '../model/graph.ts';
import type { Live, LiveResource } from '../model/resource.ts';
import type { Sealed } from '../model/sealed.ts';
import { type Fields, isRef, type Value } from '../model/value.ts';
import {
  type BlockSource,
  createFileFinder,
  describeUnexported,
  type FileRule,
  findNeededAddresses,
  listBlockSources,
} from './block-sources.ts';
import { findKeyProblem } from './expressible.ts';
import {
  type Block,
  CommentedMap,
  listItemOf,
  mapOfBlocks,
  toShorthand,
  type YamlValue,
} from './print-yaml.ts';
import { replaceIdsByReferences } from './replace-ids.ts';
import {
  createSecretNames,
  createWordCollector,
  type SecretNames,
  type WordsByValue,
} from './secret-names.ts';
import { escapeExpressions, type ValuesDestination } from './write-field.ts';
import { writeFields } from './write-fields.ts';

interface LiveExportOptions {
  live: Live;
  kinds: Kinds;
  /** Chooses objects; by default all. Those that they stand in or name come as `$existing`. */
  isChosen?(address: Address): boolean;
  /** True if a secret of this name would be read as another value here. By default none would. */
  isTaken?(name: string, value: Sealed | undefined): boolean;
  /** Default: `inline`. */
  values?: ValuesDestination;
  /** True for an object whose secret fields are written as found, whatever `values` is. By default none is. */
  isPublic?(address: Address): boolean;
  /** Further files beside the main one, with the rules for their objects. */
  files?: readonly FileRule[];
  /** Names for objects that have none, where they are known from elsewhere. By default they are made up. */
  labels?: ReadonlyMap<Address, Label>;
  /** True for an object whose usual values are written, too. By default they go without saying. */
  writesUsualValues?(address: Address): boolean;
  /** Objects that say their id, so that nothing else can be meant. */
  withId?: ReadonlySet<Address>;
  /** Variables that are declared by `$secretTo` of another object, with its `value`. */
  secretLinks?: ReadonlyMap<Address, { object: Address; value: string }>;
}

export interface ExportResult {
  /** By section of the root. */
  sections: ExportedSections;
  /** The sections of the other files. Files without sections are left out. */
  otherFiles: { file: string; sections: ExportedSections }[];
  /** The secrets that the configuration needs, by name, with their sealed values if these could be read. */
  secrets: Map<string, Sealed | undefined>;
  /** The addresses that need each secret, by its name. */
  secretUsers: Map<string, Address[]>;
  /** The things that are left out, and why. */
  notes: string[];
  /** Parts of objects that are left out, as the comments above these say. */
  incomplete: { address: Address; comment: string }[];
  /** The number of objects in it. */
  count: number;
  /** The chosen objects that are in it, by the addresses that they were found under. */
  converted: ReadonlySet<Address>;
  /** The chosen objects that cannot be declared, and why; `notes` has a sentence for each, too. */
  leftOut: ReadonlyMap<Address, string>;
  /** The addresses that objects without names of their own have in it, by those that they were found under. */
  newAddresses: ReadonlyMap<Address, Address>;
}

type ExportedSections = { name: string; value: YamlValue }[];

/** An account as configuration, such that a plan of it finds everything equal. Equal accounts give equal bytes. */
export function exportLive(options: LiveExportOptions): ExportResult {
  return new Exporter(options).exported();
}

type Writing = { all: true } | { file: string | undefined };

const collection = (kind: string, parent: Address | undefined) => `${kind} ${parent ?? ''}`;

class Exporter {
  readonly #live: Live;
  readonly #kinds: Kinds;
  readonly #values: ValuesDestination;
  readonly #isTaken: NonNullable<LiveExportOptions['isTaken']>;
  readonly #files: readonly FileRule[];
  readonly #given: ReadonlyMap<Address, Label>;
  readonly #withId: ReadonlySet<Address>;
  readonly #isWhole: (address: Address) => boolean;
  readonly #isPublic: (address: Address) => boolean;
  readonly #secretLinks: NonNullable<LiveExportOptions['secretLinks']>;
  /** The `$secretTo` that is written for an object. */
  readonly #secretTo = new Map<Address, CommentedMap>();
  readonly #fileOf: (resource: LiveResource) => string | undefined;
  #notes: string[] = [];
  #incomplete: ExportResult['incomplete'] = [];
  #count = 0;
  #secrets: Pick<SecretNames, 'nameFor'> = createWordCollector(new Map());
  /** The file that is written; `all` while everything is, as if into one. */
  #writing: Writing = { all: true };
  readonly #left = new Map<Address, string>();
  readonly #converted = new Set<Address>();
  readonly #written = new Map<Address, Address>();
  /** The objects of each collection, by address. */
  readonly #collections: ReadonlyMap<string, LiveResource[]>;
  readonly #chosen: ReadonlySet<Address>;
  /** Objects that the chosen ones stand in or name. */
  readonly #needed: ReadonlySet<Address>;
  /** The list fields that are left out, because their items are exported as objects of their own. Each as `ADDRESS FIELD`. */
  readonly #saidElsewhere: ReadonlySet<string>;

  constructor(options: LiveExportOptions) {
    const {
      live,
      kinds,
      isChosen = () => true,
      isTaken = () => false,
      values = 'inline',
      files = [],
      labels = new Map(),
      withId = new Set(),
      writesUsualValues: isWhole = () => false,
      isPublic = () => false,
      secretLinks = new Map(),
    } = options;
    this.#secretLinks = secretLinks;
    this.#given = labels;
    this.#withId = withId;
    this.#isWhole = isWhole;
    this.#isPublic = isPublic;
    this.#live = live;
    this.#kinds = kinds;
    this.#values = values;
    this.#isTaken = isTaken;
    this.#files = files;
    this.#fileOf = createFileFinder(files, live, kinds);
    const resources = replaceIdsByReferences(live, kinds).sort(byAddress);
    this.#collections = groupBy(resources, ({ kind, parent }) => collection(kind, parent));
    const chosen = resources.filter(({ address }) => isChosen(address));
    this.#chosen = new Set(chosen.map(({ address }) => address));
    this.#needed = findNeededAddresses(chosen);
    this.#saidElsewhere = new Set(
      findDuplicateDescriptions(chosen, live, kinds).map(({ holder, name }) => `${holder.address} ${name}`),
    );
  }

  exported(): ExportResult {
    // What there is to say of the whole, which values are equal, and what nothing can refer to, is known once all of it was written.
    let words: WordsByValue;
    let leftOutCount: number;
    do {
      leftOutCount = this.#left.size;
      [this.#notes, this.#incomplete, this.#count] = [[], [], 0];
      words = new Map();
      this.#secrets = createWordCollector(words);
      this.#sections({ all: true });
    } while (this.#left.size > leftOutCount);
    const notes = [...this.#notes, ...describeUnexported(this.#live, this.#kinds)];
    const [count, incomplete] = [this.#count, [...this.#incomplete]];
    const names = createSecretNames(words, this.#isTaken);
    this.#secrets = names;
    const sections = this.#sections({ file: undefined });
    const otherFiles = [...new Set(this.#files.map(({ file }) => file))]
      .map((file) => ({ file, sections: this.#sections({ file }) }))
      .filter(({ sections }) => sections.length > 0);
    const secrets = [...names.namedSecrets()];
    return {
      sections,
      otherFiles: otherFiles,
      secrets: new Map(secrets.map(([name, { value }]) => [name, value])),
      secretUsers: new Map(secrets.map(([name, { uses }]) => [name, uses])),
      notes,
      incomplete,
      count,
      converted: this.#converted,
      leftOut: this.#left,
      newAddresses: this.#written,
    };
  }

  #sections(writing: Writing): ExportedSections {
    this.#writing = writing;
    return childKinds(this.#kinds, undefined).flatMap((kind) => {
      const section = this.#sectionOf(kind, undefined);
      return section ? [{ name: kind.section, value: section.value }] : [];
    });
  }

  #sectionOf(kind: Kind, parent: LiveResource | undefined): Block | undefined {
    const objects = this.#objectsOf(kind, parent);
    if (objects.length === 0) return undefined;
    const labels = kind.shape.labels?.(kind, objects);
    const blocks = listBlockSources(kind, objects).flatMap(
      (part) =>
        this.#blockOf(
          kind,
          part,
          parent,
          this.#given.get(part.resource.address) ?? labels?.get(part.resource),
        ) ?? [],
    );
    if (blocks.length === 0 || kind.key.length === 0) return blocks[0];
    return {
      value: kind.yaml.mapBy === undefined ? blocks.map(listItemOf) : mapOfBlocks(blocks),
      comments: [],
    };
  }

  /** The objects of a collection; of several with one name only the first can be declared. */
  #objectsOf(kind: Kind, parent: LiveResource | undefined): LiveResource[] {
    const resources = this.#collections.get(collection(kind.name, parent?.address)) ?? [];
    const wanted = resources.filter(({ address }) => this.#chosen.has(address) || this.#needed.has(address));
    const declared = wanted.flatMap((resource) => {
      const [first, ...others] = [...(resource.alternatives ?? [resource])].sort((a, b) =>
        a.id < b.id ? -1 : 1,
      );
      for (const { id } of others)
        this.#notes.push(
          `${resource.address} exists more than once: besides ${first!.id} there is ${id}, which cannot be declared under the same name`,
        );
      return first!;
    });
    // Of several with one name, the place of the declared one counts.
    return kind.shape.orderDecides ? declared.sort((a, b) => a.index - b.index) : declared;
  }

  #blockOf(
    kind: Kind,
    { resource: of, fields: found }: BlockSource,
    parent: LiveResource | undefined,
    called?: Label,
  ): Block | undefined {
    const label = called?.text;
    if (!('all' in this.#writing) && this.#fileOf(of) !== this.#writing.file)
      return this.#aroundOthers(kind, of, label);
    const isWanted = this.#chosen.has(of.address);
    if (label !== undefined)
      this.#written.set(of.address, addressOf(of.parent, kind.section, [escapeName(label)]));
    const key = kind.yaml.mapBy === undefined ? undefined : valueNameOf(found[kind.yaml.mapBy] ?? null);
    const wrongKey = isWanted && label === undefined && key !== undefined && findKeyProblem(kind, found, key);
    if (wrongKey) return this.#leftOut(of, wrongKey);
    const named = kind.yaml.mapBy === undefined ? undefined : found[kind.yaml.mapBy];
    if (isWanted && isRef(named) && this.#isLeftOut(named.$ref))
      return this.#leftOut(of, `it is named after ${named.$ref}, which is left out`);
    const fields: Fields = label === undefined ? found : { ...found, [kind.key[0]!]: label };
    const words = nameWordsOf(kind, of.address, label, this.#kinds);
    const ownFields = writeFields(kind, fields, parent?.fields ?? {}, {
      isWanted,
      isElsewhere: (name) => this.#saidElsewhere.has(`${of.address} ${name}`),
      isLeftOut: (address) => this.#isLeftOut(address),
      secrets: { next: (more, value) => this.#secrets.nameFor(more, value, of.address) },
      values: this.#isPublic(of.address) ? 'inline' : this.#values,
      isPublic: this.#isPublic(of.address),
      words,
      isWhole: this.#isWhole(of.address),
    });
    if (ownFields === undefined) return undefined;
    if ('problem' in ownFields) return this.#leftOut(of, ownFields.problem);
    if (this.#isInSecretTo(kind, of, ownFields.entries)) return undefined;
    const { comments } = ownFields;
    let { isTouched } = ownFields;
    const block = new CommentedMap();
    const needsId = called?.needsId || this.#withId.has(of.address) || this.#isOneOfSeveral(kind, of);
    if (isWanted && needsId) block.add('$id', escapeExpressions(of.id));
    if (!isWanted) block.add('$existing', true);
    for (const [name, value] of ownFields.entries) block.add(name, value);
    const secretTo = this.#secretTo.get(of.address);
    if (secretTo) block.add('$secretTo', secretTo);
    for (const child of childKinds(this.#kinds, kind.name)) {
      const section = this.#sectionOf(child, of);
      if (section) block.add(child.section, section.value, section.comments);
      if (section) isTouched = true;
    }
    const undeclarable = isWanted ? (of.undeclared ?? []).map(cannotSay) : [];
    // An object that always exists is written only if something in it differs from its usual values.
    if (!isTouched && !canDo(kind, 'create')) {
      for (const comment of undeclarable) this.#notes.push(`${of.address}: ${comment}`);
      return undefined;
    }
    comments.push(...undeclarable);
    if (isWanted) {
      this.#count += 1;
      this.#converted.add(of.address);
    }
    this.#incomplete.push(...comments.map((comment) => ({ address: of.address, comment })));
    const name = kind.yaml.mapBy === undefined ? undefined : valueNameOf(fields[kind.yaml.mapBy]!);
    return { key: name, value: toShorthand(kind, block), comments };
  }

  /** True for a variable that `$secretTo` of another object declares. Keeps what that says of it. */
  #isInSecretTo(kind: Kind, resource: LiveResource, entries: [name: string, value: YamlValue][]): boolean {
    const link = this.#secretLinks.get(resource.address);
    if (!link || this.#isLeftOut(link.object)) return false;
    const name = lastNameOf(resource.address).replace(/@.*/, '');
    const secretTo = new CommentedMap();
    secretTo.add('variable', escapeExpressions(addressOf(resource.parent, kind.section, [escapeName(name)])));
    if (link.value !== '${secret}') secretTo.add('value', link.value);
    const names = entries.map(([field]) => field);
    for (const [field, value] of entries) {
      const implied = impliedBySecret(
        kind,
        names.filter((name) => name !== field),
      );
      if (JSON.stringify(value) !== JSON.stringify(implied[field])) secretTo.add(field, value);
    }
    this.#secretTo.set(link.object, secretTo);
    this.#count += 1;
    this.#converted.add(resource.address);
    return true;
  }

  /** Objects that stand in one of another file, and belong into this one under its name alone. */
  #aroundOthers(kind: Kind, resource: LiveResource, label: string | undefined): Block | undefined {
    if (this.#left.has(resource.address)) return undefined;
    const block = new CommentedMap();
    for (const child of childKinds(this.#kinds, kind.name)) {
      const section = this.#sectionOf(child, resource);
      if (section) block.add(child.section, section.value, section.comments);
    }
    if (block.entries.length === 0) return undefined;
    const { mapBy } = kind.yaml;
    return {
      key: mapBy === undefined ? undefined : (label ?? valueNameOf(resource.fields[mapBy]!)),
      value: block,
      comments: [],
    };
  }

  #isOneOfSeveral({ shape }: Kind, resource: LiveResource): boolean {
    return (
      !shape.byAddress &&
      (resource.alternatives ?? this.#live.resources.get(resource.address)?.alternatives) !== undefined
    );
  }

  #isLeftOut(address: Address): boolean {
    return this.#left.size > 0 && [...this.#left.keys()].some((key) => isWithin(address, key));
  }

  #leftOut({ address, id }: LiveResource, problem: string): undefined {
    this.#left.set(address, problem);
    this.#notes.push(`${address} (${id}) is left out: ${problem}`);
  }
}

/** The fields of a variable that follow from the secret in it. */
const impliedBySecret = (kind: Kind, declaredNames: string[]): Fields =>
  Object.assign(
    {},
    ...Object.values(kind.fields).map((schema) => traitsOf(schema).takesSecret?.(declaredNames)),
  );

const cannotSay = (setting: string): string =>
  `\`${setting}\` is set in the account but cannot be declared: it stays as it is`;

const valueNameOf = (value: Value): string =>
  escapeExpressions(isRef(value) ? lastNameOf(value.$ref) : String(value));

/** The names on the way to an object, without sections; what secrets in it are called after. */
function nameWordsOf(kind: Kind, address: Address, label: string | undefined, kinds: Kinds): string[] {
  const names = addressPathOf(address, kind.name, kinds).flatMap(([name, , at]) =>
    kinds.get(name)!.key.length === 0 ? [] : [lastNameOf(at.replace(/@[^/]+$/, ''))],
  );
  return label === undefined ? names : [...names.slice(0, -1), label];
}
