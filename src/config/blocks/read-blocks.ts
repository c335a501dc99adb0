/**
 * Reads all blocks.
 *
 * Premise: a block can take values from other blocks, but the addresses of those are known only after they were read.
 *
 *   1. Read each block once. A reference to another resource gives `pendingValue`, and the block is marked `needsSecondReading`.
 *   2. Read the variables that `$secretTo` declares in the same way, and record all addresses.
 *   3. Read the marked blocks again, each after the blocks whose values it takes. Blocks that take values from each other are reported.
 *
 * Example: `web` takes `${projects.api.framework}`. In step 1 `web` gets a pending value, in step 3 the framework of `api`.
 */

import { comparedFields } from '../../kind/compare.ts';
import { childKinds } from '../../kind/define-kind.ts';
import type { Kind, Kinds } from '../../kind/kind.ts';
import { type Address, addressOf, unescapeName } from '../../model/address.ts';
import { Reporter } from '../../model/diagnostic.ts';
import { addTo, groupBy, orderDespiteCycles } from '../../model/graph.ts';
import { type CollectionId, collectionId, isPartlyIgnored, type Resource } from '../../model/resource.ts';
import { type Value, valueAtPath } from '../../model/value.ts';
import { CountedGlobs } from '../counted-globs.ts';
import { type PathStep, parsePath } from '../expressions/parse-expressions.ts';
import {
  type FieldProblem,
  holdsPending,
  pendingValue,
  type ReferencedValue,
  type Resolver,
} from '../fields/reading.ts';
import { amountOfValue, type Growth } from '../growth.ts';
import { isYamlNode } from '../references/combine-parts.ts';
import {
  type DeclaredIndex,
  findTarget,
  type ReferenceTarget,
  readSource,
  referencedField,
} from '../references/find-target.ts';
import { hintFor, quoted } from '../suggest.ts';
import type { Node } from '../yaml/nodes.ts';
import { positionOf, type Spot } from '../yaml/source.ts';
import { type Block, keyNames, type Link, type LoadedBlock, nearestOfKind } from './block.ts';
import type { Collected } from './collect-blocks.ts';
import { type BlockContext, readBlock } from './read-block.ts';
import type { ActionReader } from './read-then.ts';
import { secretVariables } from './secret-variables.ts';

/** The context of the configuration that all blocks are read in. */
interface ReadingContext {
  /**
   * True if some files could not be read. They may contain any missing declaration, so none is reported as missing.
   */
  isIncomplete: boolean;
  growth: Growth;
  /** Reads `$then`; only there if a block has one. */
  actionReader?: ActionReader | undefined;
}

/**
 * Reads all blocks of a configuration (objects such as a project) into resources, for `load`. Blocks that name other blocks, by a value
 * that they take from them or by `$dependsOn` or `$then`, are read twice, because the addresses of the others are unknown the first time.
 * Parents come before children in the result. Problems of single blocks are in the results, all others go to `report`. `uncertain`: the
 * sections in which some entries could not be read.
 */
export function readBlocks(
  kinds: Kinds,
  { blocks, uncertain }: Collected,
  context: ReadingContext,
  report: Reporter,
): LoadedBlock[] {
  return new BlockReader(kinds, uncertain, context, report).readAll(blocks);
}

/**
 * Reads all blocks of a configuration in the three steps above. Remembers addresses and units, which references search.
 */
class BlockReader {
  readonly #kinds: Kinds;
  readonly #isIncomplete: boolean;
  readonly #actionReader: ActionReader | undefined;
  readonly #growth: Growth;
  readonly #report: Reporter;
  readonly #globs: CountedGlobs;
  /** The result of the last reading of each block. */
  readonly #read = new Map<Block, LoadedBlock>();
  /** The references in each block. */
  readonly #references = new Map<Block, PathStep[][]>();
  /** The resources that the blocks were read into, by address. */
  readonly #units = new Map<Address, { unit: Resource; block: Block }>();
  /** The kind of each declared address; complete after the first readings. */
  readonly #declared = new Map<Address, Kind>();
  /** The same addresses by collection (the objects of one kind under one parent). */
  readonly #collections = new Map<CollectionId, Address[]>();
  readonly #index: DeclaredIndex;

  /** The declared addresses of each kind, once all of them are known. */
  #addressesByKind: ReadonlyMap<Kind, Address[]> | undefined;
  /**
   * The declared addresses that a `$dependsOn` can name, for hints. Set when one first names something else.
   */
  #dependable: readonly Address[] | undefined;
  readonly #entries = new Map<CollectionId, ReadonlyMap<string, Address>>();

  /**
   * Creates the reader that turns all blocks of a configuration into resources. `uncertain`: the collections (objects of one kind and
   * parent) with entries that could not be read, so a name that is missing there is not reported; `isIncomplete`: the same for the whole
   * configuration. `growth`: limits the copied values and the steps of matching globs. `actionReader`: reads `$then`. Problems that belong
   * to no block go to `report`.
   */
  constructor(
    kinds: Kinds,
    uncertain: ReadonlySet<CollectionId>,
    { isIncomplete, growth, actionReader }: ReadingContext,
    report: Reporter,
  ) {
    this.#kinds = kinds;
    this.#actionReader = actionReader;
    this.#isIncomplete = isIncomplete;
    this.#growth = growth;
    this.#report = report;
    this.#globs = new CountedGlobs({ growth, report });
    this.#index = {
      kinds,
      declared: this.#declared,
      entries: (kind, parent) => this.#entriesOf(kind, parent),
      isUncertain: (kind, parent) => isIncomplete || uncertain.has(collectionId(kind.name, parent)),
    };
  }

  /**
   * Reads the blocks of a configuration into resources: each block once, then the variables that `$secretTo`
   * declares, then again the blocks that take values from other blocks, because the addresses of these are
   * known only after the first reading. Returns the results in the order of `collected`, followed by the
   * variables of `$secretTo`. A block is read again after the blocks from which it takes values.
   */
  readAll(collected: Block[]): LoadedBlock[] {
    const context = { kinds: this.#kinds, isIncomplete: this.#isIncomplete };
    const secretTo = secretVariables(
      collected.map((block) => this.#readFirst(block)),
      context,
    );
    this.#report.add(secretTo.problems);
    for (const block of secretTo.blocks) this.#readFirst(block);
    const blocks = [...collected, ...secretTo.blocks];
    for (const block of blocks) this.#recordAddresses(block);
    const waitingBlocks = blocks.filter((block) => this.#read.get(block)!.needsSecondReading);
    for (const block of orderDespiteCycles(waitingBlocks, (block) => this.#sourcesOf(block)))
      this.#readAgain(block);
    return blocks.map((block) => this.#read.get(block)!);
  }

  /**
   * Reads a block for the first time and stores the result. References to other blocks stay open. Blocks with
   * `$dependsOn` and `$then`, which name other blocks, need the second reading even without a reference.
   */
  #readFirst(block: Block): LoadedBlock {
    const result = readBlock(block, this.#contextOf(block, { isFirst: true }));
    if (block.settingEntries.some(({ key }) => key.text === '$dependsOn' || key.text === '$then'))
      result.needsSecondReading = true;
    this.#store(block, result);
    return result;
  }

  /**
   * Records the addresses of a block after its first reading, so that references in other blocks find them:
   * those of its resources. A block with an error has no resources. Then its own address is recorded, so that references
   * to it are not reported as undeclared as well.
   */
  #recordAddresses(block: Block): void {
    const unitAddresses = this.#read.get(block)!.units.map(({ address }) => address);
    const addresses = unitAddresses.length > 0 ? unitAddresses : [block.address];
    const collection = collectionId(block.kind.name, block.parent?.address);
    for (const address of addresses) {
      this.#declared.set(address, block.kind);
      addTo(this.#collections, collection, address);
    }
  }

  /** Stores the result of reading a block, so that other blocks can take values from its units. */
  #store(block: Block, result: LoadedBlock): void {
    this.#read.set(block, result);
    for (const unit of result.units) this.#units.set(unit.address, { unit, block });
  }

  /**
   * Returns everything outside a block on which its fields and settings depend, for `readBlock`: the fields
   * of its parent, the sections that it can have, and functions that look up other blocks. In the first
   * reading (`isFirst`) these leave references and `$dependsOn` open, because the addresses of other blocks
   * are not recorded yet.
   */
  #contextOf(block: Block, { isFirst }: { isFirst: boolean }): BlockContext {
    const children = childKinds(this.#kinds, block.kind.name);
    return {
      parentFields: (block.parent && this.#read.get(block.parent)?.fields) ?? {},
      children,
      actionReader: this.#actionReader && {
        ...this.#actionReader,
        kinds: this.#kinds,
        sections: children.map(({ section }) => section),
        matchDeclared: (kind, glob, spot) => this.#matchDeclared(kind, { glob, at: spot, isFirst }),
      },
      resolver: (links, requestSecondReading) =>
        this.#resolverFor(block, links, isFirst ? requestSecondReading : undefined),
      dependsOn: (name, place) => (isFirst ? undefined : this.#dependency(name, place)),
    };
  }

  /**
   * Returns the object that gives a block the values of its references (`${...}`) and of the resources that it names. Each resource is
   * added to `links`. `requestSecondReading` is only there in the first reading, when other blocks are not read yet. A reference then calls
   * it and gives a pending value. It is also recorded, because it decides the order of the second readings (`#sourcesOf`).
   */
  #resolverFor(block: Block, links: Link[], requestSecondReading: (() => void) | undefined): Resolver {
    /** The address of a name: under the nearest ancestor of the block that can hold objects of this kind. */
    const addressOfName = (kindName: string, name: string): Address => {
      const kind = this.#kinds.get(kindName)!;
      return addressOf(nearestOfKind(block, kind.parent)?.address, kind.section, keyNames(kind, name));
    };
    return {
      resolveName: (kind, name, node) => {
        const to = addressOfName(kind, name);
        links.push({ to, kind, at: positionOf(node.at), type: 'named' });
        return { $ref: to, attr: 'id' };
      },
      // The name of a resource that need not be declared. The check for cycles needs the link.
      recordMention: (kind, name, node) => {
        links.push({ to: addressOfName(kind, name), kind, at: positionOf(node.at), type: 'soft' });
      },
      resolveReference: (steps, node) => {
        if (!requestSecondReading) return this.#resolveReference(steps, node, links, block);
        requestSecondReading();
        addTo(this.#references, block, steps);
        return { value: pendingValue };
      },
    };
  }

  /**
   * Returns the value of the field that a reference such as `${projects.web.id}` names, or undefined after it
   * reported a problem. If only the account has the value, such as an id, the result stands for it until a
   * plan or `apply` knows it. `steps`: the names in the reference. `from`: the block that contains it.
   *
   * Adds a link to the named resource to `links`. Its type says what the block needs: `ref` if the account has the
   * value, because the resource must then be applied first, or `value` if the configuration states it.
   */
  #resolveReference(steps: PathStep[], node: Node, links: Link[], from: Block): ReferencedValue | undefined {
    // Called in the second reading, so problems go to the result of the first. `#readAgain` takes them from there.
    const report = new Reporter(this.#read.get(from)!.diagnostics, { address: from.address });
    const spotOf = (step: PathStep) => ({ ...node.at, start: step.start });
    const target = this.#referencedField(steps, spotOf, report);
    if (!target) return undefined;
    const { address, kind } = target;
    const link: Link = { to: address, kind: kind.name, at: positionOf(node.at), type: 'ref' };
    const isId = pathOfTarget(target)![0] === 'id';
    // Only the account has the id, so the plan or apply fills it in.
    if (isId) {
      links.push(link);
      return { value: { $ref: address, attr: 'id' } };
    }
    const result = this.#readReferenced(target, { steps, node, spotOf }, report);
    if (!result) return undefined;
    // `live` is there if only the account has the value.
    links.push(result.live ? link : { ...link, type: 'value' });
    const isTooDeep = isYamlNode(result.value) && this.#growth.isTooDeep(result.value, report);
    return isTooDeep ? undefined : result;
  }

  /**
   * Returns the value that a reference takes from a field of another block, for `#resolveReference`, or undefined
   * after it reported a problem: the value depends on itself, it can never be read, or all taken values together
   * exceed the limit for the size of a configuration (`#growth`). `spotOf`: returns the place of a name in the reference.
   */
  #readReferenced(
    target: ReferenceTarget,
    { steps, node, spotOf }: { steps: PathStep[]; node: Node; spotOf: (step: PathStep) => Spot },
    report: Reporter,
  ): ReferencedValue | undefined {
    const { address, kind, fieldSteps } = target;
    const path = pathOfTarget(target)!;
    const declared = this.#units.get(address);
    // The block of this resource has an error that was reported.
    if (!declared) return undefined;
    const { unit, block } = declared;
    const declaredValue = fieldValueAt(unit, path);
    // All blocks that this one needs were read before it. A value that is still pending therefore needs this block in turn.
    if (holdsPending(declaredValue))
      return report.error('config/cycle', `the value depends on itself, through ${address}`, {
        at: spotOf(steps[0]!),
        hint: 'write one of the values literally',
      });
    if (!this.#growth.allows(node.at, amountOfValue(declaredValue), report)) return undefined;
    const source = {
      address,
      kind,
      fields: unit.fields,
      at: unit.at,
      secretOf: block.secretOf,
      isIgnored: isPartlyIgnored(path, unit.meta),
    };
    const result = readSource(source, path, declaredValue, node.at);
    if ('code' in result)
      return report.error(result.code, result.message, { at: spotOf(fieldSteps.at(-1)!), hint: result.hint });
    return result;
  }

  /**
   * Returns the declared resource and the field that a reference such as `${projects.web.id}` names. Returns
   * undefined after it reported that there is none. An undeclared resource is not reported if a file or
   * section that may declare it could not be read. `spotOf`: returns the place of a name in the reference.
   */
  #referencedField(
    steps: PathStep[],
    spotOf: (step: PathStep) => Spot,
    report: Reporter,
  ): ReferenceTarget | undefined {
    const target = findTarget(this.#index, steps);
    if ('message' in target)
      return target.isUncertain
        ? undefined
        : report.error('ref/undeclared', target.message, { at: spotOf(target.step), hint: target.hint });
    const problem = checkFieldName(target);
    if (!problem) return target;
    const { code, message, hint } = problem;
    return report.error(code, message, { at: spotOf(target.fieldSteps[0] ?? steps.at(-1)!), hint });
  }

  /**
   * Returns the blocks that have to be read again before `block`, to order the second reading of the blocks with
   * references such as `${projects.web.framework}`. These are the blocks whose values `block` takes, if the values
   * are pending: in the first reading, a reference has no value yet.
   */
  #sourcesOf(block: Block): Block[] {
    return (this.#references.get(block) ?? []).flatMap((steps) => {
      const target = findTarget(this.#index, steps);
      if ('message' in target) return [];
      const path = pathOfTarget(target);
      // A reference without a field takes no value. The second reading reports it.
      if (!path) return [];
      const source = this.#units.get(target.address);
      return source && holdsPending(fieldValueAt(source.unit, path)) ? [source.block] : [];
    });
  }

  /**
   * Returns whether an address glob in `$then` matches `some` declared resources of a kind or `none`, or the fault of the glob. Returns
   * `some` in the first reading of a block (`isFirst`), when not all resources are recorded, and if a file could not be read, since it may
   * declare one. Counts the matches against a limit, because one action is planned for each of them.
   */
  #matchDeclared(
    kind: Kind,
    { glob: text, at, isFirst }: { glob: string; at: Spot; isFirst: boolean },
  ): 'some' | 'none' | { fault: string } {
    const glob = this.#globs.compileAt(at, text);
    if ('fault' in glob) return glob;
    if (isFirst || this.#isIncomplete) return 'some';
    this.#addressesByKind ??= groupBy(this.#declared.keys(), (address) => this.#declared.get(address)!);
    const size = (this.#addressesByKind.get(kind) ?? []).filter(glob.matches).length;
    const isBounded = this.#growth.allows(at, { size }, this.#report);
    // Once the limit is exceeded (an error), `glob.matches` returns false for every address. So no match does not mean `none`.
    const isMatchingComplete = isBounded && !this.#growth.isExceeded;
    return size === 0 && isMatchingComplete ? 'none' : 'some';
  }

  /**
   * Returns the addresses of the declared resources of one kind under one parent, by name, such as `web` with
   * `projects/web`. References look up names in it. Cached, because many references ask for the same section.
   */
  #entriesOf(kind: Kind, parent: Address | undefined): ReadonlyMap<string, Address> {
    const id = collectionId(kind.name, parent);
    const cached = this.#entries.get(id);
    if (cached) return cached;
    const addresses = this.#collections.get(id) ?? [];
    const nameStart = addressOf(parent, kind.section, []).length + 1;
    const entries = new Map(addresses.map((address) => [unescapeName(address.slice(nameStart)), address]));
    this.#entries.set(id, entries);
    return entries;
  }

  /**
   * Returns the address that an item of `$dependsOn` names, so that `apply` creates that resource first. The
   * item is an address (`projects/web`) or a path as in an expression (`projects.web`). Returns a field problem
   * at `place` if no such resource is declared, and undefined if a file or section that could not be read may declare it.
   */
  #dependency(name: string, place: Pick<FieldProblem, 'path' | 'node'>): Address | FieldProblem | undefined {
    // `#units` also has resources that only a second reading created, `#declared` also the addresses of blocks with errors.
    if (this.#units.has(name) || this.#declared.has(name)) return name;
    const path = name.includes('/') ? undefined : parsePath(name);
    const target = path && 'steps' in path ? findTarget(this.#index, path.steps) : undefined;
    const isResource = target && 'address' in target && target.fieldSteps.length === 0;
    if (isResource) return target.address;
    const mayBeUnread = target && 'message' in target && target.isUncertain;
    if (this.#isIncomplete || mayBeUnread) return undefined;
    // Without list items whose names are not known: their addresses end in their index, as in `#0`.
    this.#dependable ??= [...this.#declared.keys()].filter((address) => !/#\d+$/.test(address));
    const hint = hintFor(name, this.#dependable, 'declared');
    return { code: 'ref/undeclared', message: `${quoted(name)} is not declared`, hint, ...place };
  }

  /**
   * Reads a block for the second time, after the blocks from which it takes values. Its resources and problems replace those of the first
   * reading; after an error there are no resources, so that no other block takes their values. A block whose own name contains a reference
   * is an error that a second reading would only repeat.
   */
  #readAgain(block: Block): void {
    const firstReading = this.#read.get(block)!;
    if (firstReading.diagnostics.some(({ code }) => code === 'ref/in-name')) return;
    // The second reading finds these problems again. Meanwhile, `#resolveReference` fills the emptied list with the problems of references.
    firstReading.diagnostics = [];
    const secondReading = readBlock(block, this.#contextOf(block, { isFirst: false }));
    const referenceProblems = firstReading.diagnostics;
    new Reporter(secondReading.diagnostics).add(referenceProblems);
    for (const { address } of firstReading.units)
      if (this.#units.get(address)?.block === block) this.#units.delete(address);
    this.#store(block, secondReading);
  }
}

/**
 * Returns the problem with the field in a reference such as `${projects.web.id}`: no field is named, or the kind
 * has no such field. Without this check, a misspelled field would count as a field that only the account has. Returns
 * undefined if the field is valid.
 */
function checkFieldName({
  address,
  kind,
  fieldSteps: [first],
}: ReferenceTarget): { code: string; message: string; hint: string | undefined } | undefined {
  const validNames = [...new Set(['id', ...Object.keys(comparedFields(kind)), ...Object.keys(kind.fields)])];
  if (!first)
    return {
      code: 'ref/no-attribute',
      message: 'name a field of the resource',
      hint: `\`.id\`, or ${hintFor('', validNames)}`,
    };
  if (validNames.includes(first.name)) return undefined;
  return {
    code: 'ref/unknown-attribute',
    message: `${address} has no field ${quoted(first.name)}`,
    hint: hintFor(first.name, validNames),
  };
}

/**
 * Returns the path of the field that a reference names, inside its resource. Returns undefined if it names no field.
 */
function pathOfTarget({ kind, fieldSteps: [first, ...innerSteps] }: ReferenceTarget): string[] | undefined {
  return first && [referencedField(kind, first.name), ...innerSteps.map((step) => step.name)];
}

/** Returns the value at a path of a unit; undefined if the configuration does not state it. */
const fieldValueAt = ({ fields }: Resource, path: string[]): Value | undefined =>
  valueAtPath(fields, path) as Value | undefined;
