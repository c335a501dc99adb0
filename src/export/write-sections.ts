import { escapeExpressions } from '../config/expressions/parse-expressions.ts';
import { addressPathOf, canDo, childKinds, isSingleton, secretIdOf } from '../kind/define-kind.ts';
import { findDuplicateDescriptions } from '../kind/duplicate-descriptions.ts';
import type { Kind, Kinds, Label } from '../kind/kind.ts';
import { traitsOf } from '../kind/traits.ts';
import { type Address, addressOf, byAddress, escapeName, isWithinAny, lastNameOf } from '../model/address.ts';
import { groupBy } from '../model/graph.ts';
import { addressWithoutTarget } from '../model/logical-changes.ts';
import { collectionId, type Live, type LiveResource } from '../model/resource.ts';
import type { Sealed } from '../model/sealed.ts';
import { type Fields, isRef, mapHoles, type Value } from '../model/value.ts';
import {
  type BlockSource,
  chooseAlternative,
  createFileFinder,
  type FileRule,
  findNeededAddresses,
  listBlockSources,
  replaceIdsByReferences,
} from './block-sources.ts';
import { findKeyProblem } from './expressible.ts';
import { labelObjects } from './label-objects.ts';
import {
  CommentedMap,
  listItemOf,
  mapOfBlocks,
  type PrintedBlock,
  toShorthand,
  type YamlValue,
} from './print-yaml.ts';
import { type SecretNames, SecretPlaces } from './secret-names.ts';
import { createSecretTo } from './secret-to.ts';
import { type BlockFields, type ValuesDestination, writeFields } from './write-field.ts';

/** The live objects to export, and how to write them. */
export interface LiveExportOptions {
  live: Live;
  kinds: Kinds;
  /** True for an object to export; by default all. Objects that they are inside of or refer to are declared with `$existing`. */
  isChosen?(address: Address): boolean;
  /** True if a secret of this name has another value already, so that another name must be chosen. By default none has. */
  isTaken?(name: string, value: Sealed | undefined): boolean;
  /** The destination of secret values. Default: `inline`. */
  values?: ValuesDestination;
  /** True for an object whose secret fields are written in clear, independent of `values`. By default none is. */
  isPublic?(address: Address): boolean;
  /** Files beside the main one, with the rules for their objects. */
  files?: readonly FileRule[];
  /** Names for objects that have none on the platform, such as those of a Terraform state. By default they are made up. */
  labels?: ReadonlyMap<Address, Label>;
  /** The addresses that the configuration declares already. Their objects keep these names, and other objects get other names. */
  declared?: { has(address: Address): boolean };
  /** True for an object whose fields are written even if they equal the platform's defaults. By default none is. */
  writesUsualValues?(address: Address): boolean;
  /** Objects that get an `$id`, so that the block means exactly this object. */
  withId?: ReadonlySet<Address>;
  /** Variables that are declared by `$secretTo` of another object, with its `value`. */
  secretLinks?: ReadonlyMap<Address, { object: Address; value: string }>;
}

/** The sections at the top of a file, in their order. `comments`: those of the only block of a section, whose kind has no names. */
export type ExportedSections = { name: string; value: YamlValue; comments: string[] }[];

/** What a pass writes: everything, as if into one file, or the objects of one file (undefined: the main file). */
type Pass = { writesAll: true } | { file: string | undefined };

/** The result of one pass. */
export interface PassResult {
  /** The sections at the top of the file. */
  sections: ExportedSections;
  /** Sentences about objects and lists that are left out, and about parts of objects without a block, with reasons. */
  notes: string[];
  /** Parts of exported objects that are left out, each with the comment above the block. */
  incomplete: { address: Address; comment: string }[];
  /** The number of exported objects. Several live objects that are one row of the platform count once. */
  count: number;
  /** How many variables have their values in the YAML, and how many keep them in the account. Counted like `count`. */
  valueCounts: { written: number; kept: number };
}

/**
 * Writes the sections of an export in several passes. Names of secrets depend on all values, and an object cannot be declared if an object
 * that it refers to is left out. So the first passes write everything, with placeholders for the names of secrets. If there are several
 * files, further passes write each of them. Each pass uses the left out objects and the `$secretTo` that the earlier ones have found.
 */
export class SectionWriter {
  /** The chosen objects that cannot be declared, with reasons, but not the objects inside them. */
  readonly leftOut = new Map<Address, string>();
  /** The chosen objects that are exported, by their live addresses. */
  readonly converted = new Set<Address>();
  /** The addresses that objects without names of their own get, by their live addresses. */
  readonly newAddresses = new Map<Address, Address>();
  readonly #options: Required<LiveExportOptions>;
  readonly #fileOf: (resource: LiveResource) => string | undefined;
  readonly #collections: ReadonlyMap<string, LiveResource[]>;
  /** The labels of objects without names of their own. */
  readonly #labels = new Map<LiveResource, Label>();
  /** The addresses that these labels make, by the live addresses of the objects. */
  readonly #addressesByLabel = new Map<Address, Address>();
  readonly #chosen: ReadonlySet<Address>;
  /** The objects that the chosen ones are inside of or refer to. */
  readonly #needed: ReadonlySet<Address>;
  /** The list fields that are left out, because their items are exported as objects of their own. Each as `ADDRESS FIELD`. */
  readonly #fieldsOfObjects: ReadonlySet<string>;
  /** The problems of blocks that are left out, by the address and the id of their sources. */
  readonly #blockProblems = new Map<string, string>();
  /** The `$secretTo` of an object that declares a variable. */
  readonly #secretTo = new Map<Address, CommentedMap>();
  #pass: Pass = { writesAll: true };
  #secrets: Pick<SecretNames, 'nameFor'> = new SecretPlaces();
  #notes: string[] = [];
  #incomplete: PassResult['incomplete'] = [];
  #count = 0;
  #valueCounts: PassResult['valueCounts'] = { written: 0, kept: 0 };

  /**
   * Prepares an export of the objects of an account as configuration blocks: finds the chosen objects and the others that they need, so
   * that the result is a valid configuration, and labels objects without names. References are written instead of ids. Of several objects
   * with one name, the one with the smallest id is written (`chooseAlternative`).
   */
  constructor(options: Required<LiveExportOptions>) {
    this.#options = options;
    const { live, kinds, files, isChosen } = options;
    this.#fileOf = createFileFinder(files, live, kinds);
    const resources = replaceIdsByReferences(live, kinds).map(chooseAlternative).sort(byAddress);
    this.#collections = groupBy(resources, ({ kind, parent }) => collectionId(kind, parent));
    const chosen = resources.filter(({ address }) => isChosen(address));
    this.#chosen = new Set(chosen.map(({ address }) => address));
    this.#needed = findNeededAddresses(chosen);
    for (const collection of this.#collections.values()) this.#labelCollection(collection);
    // A relation may be both an item in a list of one object (the projects of a team member) and an object, which alone is written then.
    this.#fieldsOfObjects = new Set(
      findDuplicateDescriptions(chosen, live, kinds).map(({ holder, name }) => `${holder.address} ${name}`),
    );
  }

  /**
   * Gives each object of a collection that is written and has no name on the platform, such as a webhook, a label: the key of its block in
   * the YAML. The options have labels for some, such as the names in a Terraform state; for others, `labelObjects` finds one. Objects with
   * names get none. Called before anything is written, because references name such objects by their labels.
   */
  #labelCollection(collection: readonly LiveResource[]): void {
    const { kinds, declared, labels: chosenLabels } = this.#options;
    const [first] = collection;
    const objects = collection.filter(this.#isWritten);
    if (!first || objects.length === 0) return;
    // All objects of a collection have one kind and one parent.
    const kind = kinds.get(first.kind)!;
    const { parent } = first;
    const newLabels = labelObjects(kind, objects, { parent, collection, declared });
    for (const resource of objects) {
      const label = chosenLabels.get(resource.address) ?? newLabels.get(resource);
      if (!label) continue;
      this.#labels.set(resource, label);
      const addressByLabel = addressOf(parent, kind.section, [escapeName(label.text)]);
      this.#addressesByLabel.set(resource.address, addressByLabel);
    }
  }

  /** Returns the number of left out objects and `$secretTo` that the passes have found so far. Each may change the next pass. */
  countFindings(): number {
    return this.leftOut.size + this.#blockProblems.size + this.#secretTo.size;
  }

  /**
   * Returns the top sections of one exported file, such as `projects` and `domains`, without empty ones. Each
   * call is one pass over all live objects, and writes only those of that file (`pass`), with the names of secrets
   * that `secrets` gives.
   */
  writePass(pass: Pass, secrets: Pick<SecretNames, 'nameFor'>): PassResult {
    this.#pass = pass;
    this.#secrets = secrets;
    [this.#notes, this.#incomplete, this.#count] = [[], [], 0];
    this.#valueCounts = { written: 0, kept: 0 };
    const sections = childKinds(this.#options.kinds, undefined).flatMap((kind) => {
      const section = this.#writeSection(kind, undefined);
      return section ? [{ name: kind.section, value: section.value, comments: section.comments }] : [];
    });
    return {
      sections,
      notes: this.#notes,
      incomplete: this.#incomplete,
      count: this.#count,
      valueCounts: this.#valueCounts,
    };
  }

  /**
   * Returns the exported section of a kind below a parent, such as `env` of a project, with the blocks of its objects and the sections
   * inside them. A section is a map of blocks by name, a list, or a single block if the kind has no names. Undefined if nothing is written
   * in it, because an export has no empty sections.
   */
  #writeSection(kind: Kind, parent: LiveResource | undefined): PrintedBlock | undefined {
    const objects = this.#objectsIn(kind, parent);
    if (objects.length === 0) return undefined;
    const blocks = listBlockSources(kind, objects).flatMap(
      (source) => this.#writeBlock(kind, source, parent, this.#labels.get(source.resource)) ?? [],
    );
    // Without blocks, this is undefined. A kind without names has one block at most.
    if (blocks.length === 0 || isSingleton(kind)) return blocks[0];
    return {
      value: kind.yaml.mapBy === undefined ? blocks.map(listItemOf) : mapOfBlocks(blocks),
      comments: [],
    };
  }

  /** True for an object that is chosen, or that a chosen one needs. */
  #isWritten = ({ address }: LiveResource): boolean => this.#chosen.has(address) || this.#needed.has(address);

  /**
   * Returns the objects of a collection that an export writes, in their order: the chosen ones, and those that they need (declared with
   * `$existing`). If several objects have one name, the collection has the one that is declared, and its `alternatives` are all of them:
   * each of the others gets a note in this pass.
   */
  #objectsIn(kind: Kind, parent: LiveResource | undefined): LiveResource[] {
    const collection = this.#collections.get(collectionId(kind.name, parent?.address)) ?? [];
    const wanted = collection.filter(this.#isWritten);
    for (const { address, id, alternatives = [] } of wanted)
      for (const duplicate of alternatives.filter((alternative) => alternative.id !== id))
        this.#notes.push(
          `${address} exists more than once: besides ${id} there is ${duplicate.id}, which cannot be declared under the same name`,
        );
    return kind.shape.orderDecides ? wanted.sort((a, b) => a.index - b.index) : wanted;
  }

  /**
   * Returns the YAML block of a live object for `trueup export`, with the blocks in it. Counts the object, and collects notes about parts
   * that cannot be declared. `label`: the key of the block if the object has no name on the platform. Returns undefined without a block:
   * - the object is left out, with a reason in the report, or is in another file (`--by`),
   * - `$secretTo` of another object declares it,
   * - it always exists and has only usual values.
   */
  #writeBlock(
    kind: Kind,
    source: BlockSource,
    parent: LiveResource | undefined,
    label: Label | undefined,
  ): PrintedBlock | undefined {
    const { resource, addresses, id, fields: liveFields } = source;
    const { address } = resource;
    const name = label?.text;
    // An earlier pass left it out. Its fields are not written again, because their secrets would get names.
    const problemOfEarlierPass = this.#blockProblems.get(`${address} ${id}`);
    if (problemOfEarlierPass !== undefined) return this.#leaveOut(address, id, problemOfEarlierPass);
    // The object is in another file of `--by`, but this file may contain objects inside it.
    const isInPass = 'writesAll' in this.#pass || this.#fileOf(resource) === this.#pass.file;
    if (!isInPass) return this.#writeEnclosingBlock(kind, resource, name);
    if (name !== undefined) this.newAddresses.set(address, this.#addressesByLabel.get(address)!);
    const keyProblem = this.#chosen.has(address) ? this.#findKeyProblem(kind, liveFields, name) : undefined;
    if (keyProblem) return this.#leaveOut(address, id, keyProblem);
    const fields: Fields = name === undefined ? liveFields : { ...liveFields, [kind.key[0]!]: name };
    const written = this.#writeFields(kind, resource, fields, parent, name);
    if (written === undefined) return undefined;
    if ('problem' in written) return this.#leaveOut(address, id, written.problem);
    if (this.#moveToSecretTo(kind, resource, written.entries)) {
      this.#countExported(addresses);
      return undefined;
    }
    return this.#finishBlock(kind, { ...source, fields }, label, written);
  }

  /**
   * Returns the block of a live object with its written fields and the blocks of the objects in it. Counts the object, unless it is only
   * needed by others. Returns undefined for an object that always exists, has only usual values, and has nothing in it: its undeclarable
   * settings then become notes instead of comments.
   */
  #finishBlock(
    kind: Kind,
    { resource, addresses, fields }: BlockSource,
    label: Label | undefined,
    { entries, isTouched, comments: fieldComments }: BlockFields,
  ): PrintedBlock | undefined {
    const { address } = resource;
    const block = this.#createBlock(kind, resource, label, entries);
    const hasChildren = this.#addChildSections(block, kind, resource);
    const isChosen = this.#chosen.has(address);
    const undeclarable = isChosen ? listUndeclarable(resource) : [];
    const alwaysExists = !canDo(kind, 'create');
    if (alwaysExists && !isTouched && !hasChildren) {
      this.#notes.push(...undeclarable.map((comment) => `${address}: ${comment}`));
      return undefined;
    }
    if (isChosen) {
      this.#countExported(addresses);
      this.#countValues(kind, entries);
    }
    const comments = [...fieldComments, ...undeclarable];
    this.#incomplete.push(...comments.map((comment) => ({ address, comment })));
    const { mapBy } = kind.yaml;
    const key = mapBy === undefined ? undefined : formatName(fields[mapBy]!);
    // A list item with comments is written as the map, because a short form could not have them.
    return { key, value: toShorthand(kind, block), map: block, comments };
  }

  /**
   * Returns the reason why an object cannot have a block under its name; undefined if it can, or if its
   * blocks have no names. An object without a name gets a label, which always fits. `trueup export` leaves
   * out the object and prints the reason.
   */
  #findKeyProblem(kind: Kind, fields: Fields, label: string | undefined): string | undefined {
    const { mapBy } = kind.yaml;
    if (mapBy === undefined) return undefined;
    const name = fields[mapBy];
    const problem = label === undefined ? findKeyProblem(kind, fields, formatName(name ?? null)) : undefined;
    if (problem) return problem;
    return isRef(name) && this.#isLeftOut(name.$ref)
      ? `it is named after ${name.$ref}, which is left out`
      : undefined;
  }

  /**
   * Returns the fields of a live object as YAML for its block in an export, without those that are exported as objects of their own. Passes
   * on the options of the export, resolved for this object: where its secrets go (of an object with public values, into the YAML), how they
   * are named, and whether usual values are written.
   */
  #writeFields(
    kind: Kind,
    { address }: LiveResource,
    fields: Fields,
    parent: LiveResource | undefined,
    label: string | undefined,
  ): ReturnType<typeof writeFields> {
    const { values, isPublic, writesUsualValues, kinds } = this.#options;
    // A reference to an object without a name uses the label that the export gives it.
    const labelled = mapHoles(fields, (hole) =>
      isRef(hole) && !this.#isLeftOut(hole.$ref)
        ? { ...hole, $ref: this.#addressesByLabel.get(hole.$ref) ?? hole.$ref }
        : hole,
    ) as Fields;
    return writeFields(kind, labelled, parent?.fields ?? {}, {
      isWanted: this.#chosen.has(address),
      isElsewhere: (name) => this.#fieldsOfObjects.has(`${address} ${name}`),
      isLeftOut: (target) => this.#isLeftOut(target),
      secrets: { nameFor: (words, value) => this.#secrets.nameFor(words, value, address) },
      values: isPublic(address) ? 'inline' : values,
      isPublic: isPublic(address),
      words: listNames(kind, address, label, kinds),
      writesUsualValues: writesUsualValues(address),
    });
  }

  /**
   * Returns a block with the `$` keys and the fields of an object, without the sections of its children. An object that is only needed by
   * others gets `$existing`. It gets `$id` if a plan could not find the object by its name and fields, or if the options ask for it.
   */
  #createBlock(
    kind: Kind,
    resource: LiveResource,
    label: Label | undefined,
    entries: [name: string, value: YamlValue][],
  ): CommentedMap {
    const { address } = resource;
    const block = new CommentedMap();
    // The name of several objects would not say which of them the block declares. An address with all of an object's identity does.
    const isAmbiguous = resource.alternatives !== undefined && !kind.shape.byAddress;
    // An id of `read.single` is the only way to find the object, because the platform does not list it.
    const isReadById = kind.read.single?.takes === 'id';
    const needsId = label?.needsId || this.#options.withId.has(address) || isReadById || isAmbiguous;
    const isExisting = !this.#chosen.has(address);
    // Without its fields, nothing but an id says which object without a name exists.
    const hasLabelAlone = isExisting && label !== undefined && secretIdOf(kind) === undefined;
    if (isExisting) block.add('$existing', true);
    if (needsId || hasLabelAlone) block.add('$id', escapeExpressions(resource.id));
    for (const [name, value] of entries) block.add(name, value);
    const secretTo = this.#secretTo.get(address);
    if (secretTo) block.add('$secretTo', secretTo);
    return block;
  }

  /**
   * Adds the sections of an object's children, such as the `env` of a project, to its exported block. Returns
   * false if there are none, so that the caller can leave out a block that would be empty.
   */
  #addChildSections(block: CommentedMap, kind: Kind, resource: LiveResource): boolean {
    let hasChildren = false;
    for (const child of childKinds(this.#options.kinds, kind.name)) {
      const section = this.#writeSection(child, resource);
      if (!section) continue;
      block.add(child.section, section.value, section.comments);
      hasChildren = true;
    }
    return hasChildren;
  }

  /**
   * Moves an exported variable whose value is the secret of another object (of a `secretLink`) into
   * `$secretTo` of that object: an apply then creates the object and sends its secret to the variable.
   * Returns false if the variable has no such secret, or the object is left out.
   */
  #moveToSecretTo(kind: Kind, resource: LiveResource, entries: [name: string, value: YamlValue][]): boolean {
    const link = this.#options.secretLinks.get(resource.address);
    if (!link || this.#isLeftOut(link.object)) return false;
    this.#secretTo.set(link.object, createSecretTo(kind, resource, entries, link.value));
    return true;
  }

  /**
   * Returns a block that has only the name of an object and the blocks in it. With `export --by`, children
   * can be in another file than their parent, and that file needs the enclosing block to say where they
   * belong. Undefined if there are no children in the file.
   */
  #writeEnclosingBlock(
    kind: Kind,
    resource: LiveResource,
    label: string | undefined,
  ): PrintedBlock | undefined {
    if (this.leftOut.has(resource.address)) return undefined;
    const block = new CommentedMap();
    if (!this.#addChildSections(block, kind, resource)) return undefined;
    const { mapBy } = kind.yaml;
    const key = mapBy === undefined ? undefined : formatName(label ?? resource.fields[mapBy]!);
    return { key, value: block, comments: [] };
  }

  /** Counts a chosen object that is exported. Several live objects that are one row of the platform, and one block, count once. */
  #countExported(addresses: Address[]): void {
    this.#count += 1;
    for (const address of addresses) this.converted.add(address);
  }

  /**
   * Counts the value of an exported variable, for the summary of the export: it is in the YAML, or it is secret and stays only in the
   * account. A variable's value is recognized by its trait `neededToCreate` (an export may leave the field out, because an existing object
   * keeps it). Objects without such a field are not counted. `entries`: the fields that were written.
   */
  #countValues(kind: Kind, entries: readonly [name: string, value: YamlValue][]): void {
    const writtenNames = new Set(entries.map(([name]) => name));
    for (const [name, schema] of Object.entries(kind.fields))
      if (traitsOf(schema).neededToCreate)
        this.#valueCounts[writtenNames.has(name) ? 'written' : 'kept'] += 1;
  }

  /** True if an object, or one that it is inside of, is left out, so that nothing can refer to it. */
  #isLeftOut(address: Address): boolean {
    return isWithinAny(address, this.leftOut);
  }

  /**
   * Records that an object is left out of an export, with a note for the user. `id`: that of its block, because one address may have
   * several rows of the platform. Returns undefined, as a block that is not written.
   */
  #leaveOut(address: Address, id: string, problem: string): undefined {
    this.leftOut.set(address, problem);
    this.#blockProblems.set(`${address} ${id}`, problem);
    this.#notes.push(`${address} (${id}) is left out: ${problem}`);
  }
}

/**
 * Returns comments for the block of a live object about its settings that no configuration can declare. `lostByWrites`: paths of settings
 * that an apply removes once it changes their top field, because it writes the whole field.
 */
const listUndeclarable = ({ undeclared = [], lostByWrites = [] }: LiveResource): string[] => [
  ...undeclared.map(
    (setting) => `\`${setting}\` is set in the account but cannot be declared: it stays as it is`,
  ),
  ...lostByWrites.map((path) => {
    // `limits` of `limits.cpu` or `limits[0]`.
    const topField = path.replace(/[[.].*/s, '');
    return `\`${path}\` is set in the account but cannot be declared: a change of \`${topField}\` removes it`;
  }),
];

/** Returns the text of a name in the YAML; for a reference, the name of the other object. */
const formatName = (value: Value): string =>
  escapeExpressions(isRef(value) ? lastNameOf(value.$ref) : String(value));

/**
 * Returns the names in the address of an object, without sections: `web` and `API_URL` for
 * `projects/web/env/API_URL@preview`. `trueup export` names the environment variables for its secrets after
 * them: `WEB_API_URL`. `label`: the name of an object that has none on the platform.
 */
function listNames(kind: Kind, address: Address, label: string | undefined, kinds: Kinds): string[] {
  // A kind with one object, such as the settings of a project, has no name in the address.
  const names = addressPathOf(address, kind.name, kinds).flatMap(([kindName, , objectAddress]) =>
    isSingleton(kinds.get(kindName)!) ? [] : [lastNameOf(addressWithoutTarget(objectAddress))],
  );
  // The label replaces the last name, which the address has instead of a name of the platform.
  return label === undefined ? names : [...names.slice(0, -1), label];
}
