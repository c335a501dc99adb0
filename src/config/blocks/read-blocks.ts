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
import { childKinds } from '../../kind/define-kind.ts';
import type { Kind, Kinds } from '../../kind/kind.ts';
import { comparedFields } from '../../kind/leaves.ts';
import { type Address, addressOf, unescapeName } from '../../model/address.ts';
import { addDiagnostics, type Diagnostic, Reporter } from '../../model/diagnostic.ts';
import { addTo, groupBy, orderDespiteCycles } from '../../model/graph.ts';
import { type CollectionId, collectionId, type Resource } from '../../model/resource.ts';
import { type Value, valueAtPath } from '../../model/value.ts';
import { CountedGlobs } from '../counted-globs.ts';
import { parsePath, type Step } from '../expressions/parse-expressions.ts';
import {
  type Finding,
  holdsPending,
  pendingValue,
  type ReferencedValue,
  type Resolver,
} from '../fields/reading.ts';
import { amountOfValue, type Growth } from '../growth.ts';
import { isNode } from '../references/combine-parts.ts';
import { type DeclaredIndex, findTarget } from '../references/find-target.ts';
import { readSource, referencedField, stepsOfPath } from '../references/read-source.ts';
import { hintFor, quoted } from '../suggest.ts';
import type { Node } from '../yaml/nodes.ts';
import { positionOf, type Spot } from '../yaml/source.ts';
import { type Block, keyNames, type Link, type ReadBlock } from './block.ts';
import type { Collected } from './collect-blocks.ts';
import { type BlockContext, readBlock } from './read-block.ts';
import type { ActionReader } from './read-then.ts';
import { secretVariables } from './secret-variables.ts';

/** What reading all blocks needs besides them. */
interface ReadingContext {
  /** True if some files were not read. Then they may declare whatever seems to be missing, which is not reported. */
  isIncomplete: boolean;
  growth: Growth;
  /** Reads `$then`; only there if a block has one. */
  actionReader?: ActionReader | undefined;
}

/**
 * Reads all blocks in three steps, which the top of this file describes. Problems of single blocks are in the results, all others in
 * `diagnostics`.
 */
export function readBlocks(
  kinds: Kinds,
  { blocks, uncertain }: Collected,
  context: ReadingContext,
  diagnostics: Diagnostic[],
): ReadBlock[] {
  return new BlockReader(kinds, uncertain, context, diagnostics).readAll(blocks);
}

class BlockReader {
  readonly #kinds: Kinds;
  readonly #isIncomplete: boolean;
  readonly #actionReader: ActionReader | undefined;
  readonly #growth: Growth;
  readonly #diagnostics: Diagnostic[];
  readonly #globs: CountedGlobs;
  readonly #read = new Map<Block, ReadBlock>();
  /** The references in each block. */
  readonly #references = new Map<Block, Step[][]>();
  readonly #units = new Map<Address, { unit: Resource; block: Block }>();
  readonly #declared = new Map<Address, Kind>();
  readonly #collections = new Map<CollectionId, Address[]>();
  readonly #index: DeclaredIndex;

  /** The declared addresses of each kind, once all of them are known. */
  #addressesByKind: ReadonlyMap<Kind, Address[]> | undefined;
  /** The declared addresses that a `$dependsOn` can name, once one names another. */
  #dependable: readonly Address[] | undefined;
  readonly #entries = new Map<CollectionId, ReadonlyMap<string, Address>>();

  constructor(
    kinds: Kinds,
    uncertain: ReadonlySet<CollectionId>,
    { isIncomplete, growth, actionReader }: ReadingContext,
    diagnostics: Diagnostic[],
  ) {
    this.#kinds = kinds;
    this.#actionReader = actionReader;
    this.#isIncomplete = isIncomplete;
    this.#growth = growth;
    this.#diagnostics = diagnostics;
    this.#globs = new CountedGlobs({ growth, diagnostics });
    this.#index = {
      kinds,
      declared: this.#declared,
      entries: (kind, parent) => this.#entriesOf(kind, parent),
      isUncertain: (kind, parent) => isIncomplete || uncertain.has(collectionId(kind.name, parent)),
    };
  }

  readAll(collected: Block[]): ReadBlock[] {
    const readFirst = (block: Block): ReadBlock => {
      const result = readBlock(block, this.#surroundings(block, true));
      if (block.settingEntries.some(({ key }) => key.text === '$dependsOn' || key.text === '$then'))
        result.needsSecondReading = true;
      this.#store(block, result);
      return result;
    };
    const context = { kinds: this.#kinds, isIncomplete: this.#isIncomplete };
    const secretTo = secretVariables(collected.map(readFirst), context);
    addDiagnostics(this.#diagnostics, secretTo.problems);
    secretTo.blocks.forEach(readFirst);
    const blocks = [...collected, ...secretTo.blocks];
    for (const block of blocks) {
      const unitAddresses = this.#read.get(block)!.units.map(({ address }) => address);
      const addresses = unitAddresses.length > 0 ? unitAddresses : [block.address];
      const collection = collectionId(block.kind.name, block.parent?.address);
      for (const address of addresses) {
        this.#declared.set(address, block.kind);
        addTo(this.#collections, collection, address);
      }
    }
    for (const block of orderDespiteCycles(blocks, (block) => this.#sourcesOf(block))) this.#readAgain(block);
    return blocks.map((block) => this.#read.get(block)!);
  }

  /** Stores what reading a block gave. */
  #store(block: Block, result: ReadBlock): void {
    this.#read.set(block, result);
    for (const unit of result.units) this.#units.set(unit.address, { unit, block });
  }

  /** Returns what reading a block needs from the others. In the first reading (`isFirst`), references and `$dependsOn` are left open. */
  #surroundings(block: Block, isFirst: boolean): BlockContext {
    const children = childKinds(this.#kinds, block.kind.name);
    return {
      parentFields: (block.parent && this.#read.get(block.parent)?.fields) ?? {},
      children: {
        // Kinds that the platform cannot list are left out: their superfluous objects cannot be found.
        sections: children.filter(({ read }) => read.endpoint !== undefined).map(({ section }) => section),
        inOrder: children.filter(({ shape }) => shape.orderDecides).map(({ section }) => section),
      },
      actionReader: this.#actionReader && {
        ...this.#actionReader,
        kinds: this.#kinds,
        sections: children.map(({ section }) => section),
        matchDeclared: (kind, glob, spot) => this.#matchDeclared(kind, { glob, at: spot, isFirst }),
      },
      resolver: (links, wait) => this.#resolverFor(block, links, isFirst ? wait : undefined),
      dependsOn: (name, finding) => (isFirst ? undefined : this.#dependency(name, finding)),
    };
  }

  /**
   * Returns the resolver for the references in a block, which adds the resources they mean to `links`. With `wait`, references are only
   * recorded, for the second reading, and give a pending value.
   */
  #resolverFor(block: Block, links: Link[], wait: (() => void) | undefined): Resolver {
    /** The address of a name: under the nearest ancestor of the block that can hold objects of this kind. */
    const addressOfName = (kindName: string, name: string): Address => {
      const kind = this.#kinds.get(kindName)!;
      let ancestor: Block | undefined = block;
      while (ancestor && ancestor.kind.name !== kind.parent) ancestor = ancestor.parent;
      return addressOf(ancestor?.address, kind.section, keyNames(kind, name));
    };
    return {
      resolveName: (kind, name, node) => {
        const to = addressOfName(kind, name);
        links.push({ to, kind, at: positionOf(node.at), type: 'named' });
        return { $ref: to, attr: 'id' };
      },
      recordMention: (kind, name, node) => {
        links.push({ to: addressOfName(kind, name), kind, at: positionOf(node.at), type: 'soft' });
      },
      resolveReference: (steps, node) => {
        if (!wait) return this.#follow(steps, node, links, block);
        wait();
        addTo(this.#references, block, steps);
        return { value: pendingValue };
      },
    };
  }

  /**
   * Returns the value that a reference in the block `from` leads to; undefined after a problem was reported. Adds the resource to `links`
   * if its value is known only after it was created or read, since it must then come first.
   */
  #follow(steps: Step[], node: Node, links: Link[], from: Block): ReferencedValue | undefined {
    const { diagnostics } = this.#read.get(from)!;
    const report = new Reporter(diagnostics, { address: from.address });
    const stepAt = (step: Step) => ({ ...node.at, start: step.start });
    const target = findTarget(this.#index, steps);
    if ('message' in target)
      return target.isUncertain
        ? undefined
        : report.error('ref/unknown', target.message, { at: stepAt(target.step), hint: target.hint });
    const { address, kind } = target;
    const [attribute, ...inner] = target.fieldSteps;
    const validNames = [
      ...new Set(['id', ...Object.keys(comparedFields(kind)), ...Object.keys(kind.fields)]),
    ];
    if (!attribute)
      return report.error('ref/no-attribute', 'name a field of the resource', {
        at: stepAt(steps.at(-1)!),
        hint: `\`.id\`, or ${hintFor('', validNames)}`,
      });
    if (!validNames.includes(attribute.name))
      return report.error('ref/unknown-attribute', `${address} has no field ${quoted(attribute.name)}`, {
        at: stepAt(attribute),
        hint: hintFor(attribute.name, validNames),
      });
    const at = positionOf(node.at);
    const field = referencedField(kind, attribute.name);
    const path = [field, ...inner.map((step) => step.name)];
    const link = () => void links.push({ to: address, kind: kind.name, at, type: 'ref' });
    if (field === 'id') {
      link();
      return { value: { $ref: address, attr: 'id' } };
    }
    const declared = this.#units.get(address);
    // The block of this resource has an error, which was reported.
    if (!declared) return undefined;
    const { unit, block } = declared;
    const value = fieldValueAt(unit, path);
    // All blocks that this one needs were read before it. A value that is still pending therefore needs this block in turn.
    if (holdsPending(value))
      return report.error('ref/cycle', `the value depends on itself, through ${address}`, {
        at: stepAt(steps[0]!),
        hint: 'write one of the values literally',
      });
    if (!this.#growth.allows(node.at, amountOfValue(value), diagnostics)) return undefined;
    const source = { address, kind, fields: unit.fields, at: unit.at, secretOf: block.secretOf };
    const read = readSource(source, path, value, node.at);
    if ('code' in read)
      return report.error(read.code, read.message, {
        at: stepAt(inner.at(-1) ?? attribute),
        hint: read.hint,
      });
    if (read.live) link();
    return isNode(read.value) && this.#growth.isTooDeep(read.value, diagnostics) ? undefined : read;
  }

  /** Returns the blocks that have to be read again before `block`, because `block` takes values from them that are pending themselves. */
  #sourcesOf(block: Block): Block[] {
    return (this.#references.get(block) ?? []).flatMap((steps) => {
      const target = findTarget(this.#index, steps);
      if ('message' in target || !target.fieldSteps[0]) return [];
      const { address, kind } = target;
      const [{ name }, ...inner] = target.fieldSteps as [Step, ...Step[]];
      const source = this.#units.get(address);
      const path = [referencedField(kind, name), ...inner.map((step) => step.name)];
      return source && holdsPending(fieldValueAt(source.unit, path)) ? [source.block] : [];
    });
  }

  /**
   * Reports whether a glob in `$then` matches a declared resource of a kind. Counts the matches against the limit for growth, because an
   * action is planned for each of them. In the first reading, and if files are missing, `some` is assumed.
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
    const isBounded = this.#growth.allows(at, { size }, this.#diagnostics);
    return size === 0 && isBounded && !this.#growth.isExceeded ? 'none' : 'some';
  }

  /**
   * Returns the addresses of the entries of one kind under one parent, by their names. Cached, since many references ask for the same
   * ones.
   */
  #entriesOf(kind: Kind, parent: Address | undefined): ReadonlyMap<string, Address> {
    const id = collectionId(kind.name, parent);
    const entry = this.#entries.get(id);
    if (entry) return entry;
    const start = addressOf(parent, kind.section, []).length + 1;
    const addresses = this.#collections.get(id) ?? [];
    const entries = new Map(addresses.map((address) => [unescapeName(address.slice(start)), address]));
    this.#entries.set(id, entries);
    return entries;
  }

  /**
   * Returns the address that an item of `$dependsOn` means: written as an address, or as a path like in an expression. Returns a finding
   * if nothing of that name is declared, and undefined if that is uncertain.
   */
  #dependency(name: string, finding: Omit<Finding, 'code' | 'message'>): Address | Finding | undefined {
    if (this.#units.has(name) || this.#declared.has(name)) return name;
    const path = name.includes('/') ? { error: '' } : parsePath(name);
    const target = 'steps' in path ? findTarget(this.#index, path.steps) : undefined;
    if (target && 'address' in target && target.fieldSteps.length === 0) return target.address;
    if (this.#isIncomplete || (target && 'message' in target && target.isUncertain)) return undefined;
    this.#dependable ??= [...this.#declared.keys()].filter((address) => !/#\d+$/.test(address));
    const hint = hintFor(name, this.#dependable, 'declared');
    return { code: 'ref/unknown', message: `${quoted(name)} is not declared`, hint, ...finding };
  }

  /**
   * Reads a block for the second time. If it has an error now, its units of the first reading are removed, so that no other block takes
   * their values.
   */
  #readAgain(block: Block): void {
    const firstReading = this.#read.get(block)!;
    if (
      !firstReading.needsSecondReading ||
      firstReading.diagnostics.some(({ code }) => code === 'ref/in-name')
    )
      return;
    firstReading.diagnostics = [];
    const secondReading = readBlock(block, this.#surroundings(block, false));
    addDiagnostics(secondReading.diagnostics, firstReading.diagnostics);
    for (const { address } of firstReading.units)
      if (this.#units.get(address)?.block === block) this.#units.delete(address);
    this.#store(block, secondReading);
  }
}

/** Returns the value at a path of a unit; undefined if the configuration does not state it. */
const fieldValueAt = ({ fields }: Resource, path: string[]): Value | undefined =>
  valueAtPath(fields, stepsOfPath(path)) as Value | undefined;
