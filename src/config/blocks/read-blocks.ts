import { childKinds } from '../../kind/define-kind.ts';
import type { Kind, Kinds } from '../../kind/kind.ts';
import { comparedFields } from '../../kind/leaves.ts';
import { type Address, addressOf, unescapeName } from '../../model/address.ts';
import { type Diagnostic, problem } from '../../model/diagnostic.ts';
import { addTo, groupBy, orderDespiteCycles } from '../../model/graph.ts';
import { type CollectionId, collectionId, type Resource } from '../../model/resource.ts';
import { type Value, valueAtPath } from '../../model/value.ts';
import { CountedGlobs } from '../counted-globs.ts';
import { parsePath, type Step } from '../expressions/parse-expressions.ts';
import { type Finding, holdsWaiting, type Referenced, type Resolver, waiting } from '../fields/reading.ts';
import { amountOfValue, type Growth } from '../growth.ts';
import { findTarget, type Index } from '../references/find-target.ts';
import { isNode } from '../references/hole-of.ts';
import { readSource, referencedField, stepsOfPath } from '../references/read-source.ts';
import { hintFor, quoted } from '../suggest.ts';
import type { Node } from '../yaml/nodes.ts';
import { positionOf, type Spot } from '../yaml/source.ts';
import { type Block, keyNames, type Link, type ReadBlock } from './block.ts';
import type { Collected } from './collect-blocks.ts';
import { readBlock, type Surroundings } from './read-block.ts';
import type { Thens } from './read-then.ts';
import { secretVariables } from './secret-variables.ts';

/** Everything beside the blocks that reading them needs. `thens`: only if a block has a `$then`. */
interface ReadingContext {
  isIncomplete: boolean;
  growth: Growth;
  thens?: Thens | undefined;
}

/**
 * Reads all blocks: once, or twice if a block mentions other resources, because their addresses are known only after all blocks were read.
 * Each block is read the second time after those whose values it takes.
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
  readonly #thens: Thens | undefined;
  readonly #growth: Growth;
  readonly #diagnostics: Diagnostic[];
  readonly #globs: CountedGlobs;
  readonly #read = new Map<Block, ReadBlock>();
  /** The references in each block. */
  readonly #references = new Map<Block, Step[][]>();
  readonly #units = new Map<Address, { unit: Resource; block: Block }>();
  readonly #declared = new Map<Address, Kind>();
  readonly #collections = new Map<CollectionId, Address[]>();
  readonly #index: Index;

  /** The declared addresses, once all of them are known. */
  #ofKind: ReadonlyMap<Kind, Address[]> | undefined;
  readonly #entries = new Map<CollectionId, ReadonlyMap<string, Address>>();

  constructor(
    kinds: Kinds,
    uncertain: ReadonlySet<CollectionId>,
    { isIncomplete, growth, thens }: ReadingContext,
    diagnostics: Diagnostic[],
  ) {
    this.#kinds = kinds;
    this.#thens = thens;
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

  readAll(written: Block[]): ReadBlock[] {
    const readFirst = (block: Block): ReadBlock => {
      const result = readBlock(block, this.#surroundings(block, true));
      if (block.meta.some(({ key }) => key.text === '$dependsOn' || key.text === '$then'))
        result.isWaiting = true;
      this.#enter(block, result);
      return result;
    };
    const context = { kinds: this.#kinds, isIncomplete: this.#isIncomplete };
    const secretTo = secretVariables(written.map(readFirst), context);
    this.#diagnostics.push(...secretTo.problems);
    secretTo.blocks.forEach(readFirst);
    const blocks = [...written, ...secretTo.blocks];
    for (const block of blocks) {
      const own = this.#read.get(block)!.units.map(({ address }) => address);
      const addresses = own.length > 0 ? own : [block.address];
      const collection = collectionId(block.kind.name, block.parent?.address);
      for (const address of addresses) {
        this.#declared.set(address, block.kind);
        addTo(this.#collections, collection, address);
      }
    }
    for (const block of orderDespiteCycles(blocks, (block) => this.#sourcesOf(block))) this.#readAgain(block);
    return blocks.map((block) => this.#read.get(block)!);
  }

  #enter(block: Block, result: ReadBlock): void {
    this.#read.set(block, result);
    for (const unit of result.units) this.#units.set(unit.address, { unit, block });
  }

  #surroundings(block: Block, isFirst: boolean): Surroundings {
    const children = childKinds(this.#kinds, block.kind.name);
    return {
      parentFields: (block.parent && this.#read.get(block.parent)?.fields) ?? {},
      children: {
        // Of what nothing lists, nothing can be known to be left over.
        sections: children.filter(({ read }) => read.endpoint !== undefined).map(({ section }) => section),
        inOrder: children.filter(({ shape }) => shape.orderDecides).map(({ section }) => section),
      },
      ...(this.#thens
        ? {
            thens: {
              ...this.#thens,
              kinds: this.#kinds,
              sections: children.map(({ section }) => section),
              matchDeclared: (kind, glob, spot) => this.#matchDeclared(kind, { glob, at: spot, isFirst }),
            },
          }
        : {}),
      resolver: (links, wait) => this.#resolverFor(block, links, isFirst ? wait : undefined),
      dependsOn: (name, finding) => (isFirst ? undefined : this.#dependency(name, finding)),
    };
  }

  #resolverFor(block: Block, links: Link[], wait: (() => void) | undefined): Resolver {
    const near = (kindName: string, name: string): Address => {
      const kind = this.#kinds.get(kindName)!;
      let ancestor: Block | undefined = block;
      while (ancestor && ancestor.kind.name !== kind.parent) ancestor = ancestor.parent;
      return addressOf(ancestor?.address, kind.section, keyNames(kind, name));
    };
    return {
      named: (kind, name, node) => {
        const to = near(kind, name);
        links.push({ to, kind, at: positionOf(node.at), type: 'named' });
        return { $ref: to, attr: 'id' };
      },
      mention: (kind, name, node) => {
        links.push({ to: near(kind, name), kind, at: positionOf(node.at), type: 'soft' });
      },
      reference: (steps, node) => {
        if (!wait) return this.#follow(steps, node, links, block);
        wait();
        addTo(this.#references, block, steps);
        return { value: waiting };
      },
    };
  }

  #follow(steps: Step[], node: Node, links: Link[], from: Block): Referenced | undefined {
    const say = (code: string, message: string, step: Step, hint?: string): undefined => {
      const position = positionOf({ ...node.at, start: step.start });
      this.#read
        .get(from)!
        .diagnostics.push(problem(code, message, { at: position, hint, address: from.address }));
    };
    const target = findTarget(this.#index, steps);
    if ('message' in target)
      return target.isUncertain ? undefined : say('ref/unknown', target.message, target.step, target.hint);
    const { address, kind } = target;
    const [attribute, ...inner] = target.rest;
    const known = [...new Set(['id', ...Object.keys(comparedFields(kind)), ...Object.keys(kind.fields)])];
    if (!attribute)
      return say(
        'ref/no-attribute',
        'name a field of the resource',
        steps.at(-1)!,
        `\`.id\`, or ${hintFor('', known)}`,
      );
    if (!known.includes(attribute.name))
      return say(
        'ref/unknown-attribute',
        `${address} has no field ${quoted(attribute.name)}`,
        attribute,
        hintFor(attribute.name, known),
      );
    const at = positionOf(node.at);
    const name = referencedField(kind, attribute.name);
    const path = [name, ...inner.map((step) => step.name)];
    const link = () => void links.push({ to: address, kind: kind.name, at, type: 'ref' });
    if (name === 'id') {
      link();
      return { value: { $ref: address, attr: 'id' } };
    }
    const holder = this.#units.get(address);
    // Its block has an error, which was reported.
    if (!holder) return undefined;
    const { unit, block } = holder;
    const value = valueAt(unit, path);
    // All blocks that this one needs were read before it, unless they need it in turn.
    if (holdsWaiting(value))
      return say(
        'ref/cycle',
        `the value depends on itself, through ${address}`,
        steps[0]!,
        'write one of the values literally',
      );
    const { diagnostics } = this.#read.get(from)!;
    if (!this.#growth.allows(node.at, amountOfValue(value), diagnostics)) return undefined;
    const source = { address, kind, fields: unit.fields, at: unit.at, shownBy: block.secretOf };
    const read = readSource(source, path, value, node.at);
    if ('code' in read) return say(read.code, read.message, inner.at(-1) ?? attribute, read.hint);
    if (read.live) link();
    return isNode(read.value) && this.#growth.isTooDeep(read.value, diagnostics) ? undefined : read;
  }

  /** Returns the blocks that have to be read before this one, because their values that it takes are taken from other blocks, too. */
  #sourcesOf(block: Block): Block[] {
    return (this.#references.get(block) ?? []).flatMap((steps) => {
      const target = findTarget(this.#index, steps);
      if ('message' in target || !target.rest[0]) return [];
      const { address, kind } = target;
      const [{ name }, ...inner] = target.rest as [Step, ...Step[]];
      const source = this.#units.get(address);
      const path = [referencedField(kind, name), ...inner.map((step) => step.name)];
      return source && holdsWaiting(valueAt(source.unit, path)) ? [source.block] : [];
    });
  }

  /** Counts the matches, too: an action is planned for each of them. */
  #matchDeclared(
    kind: Kind,
    { glob: text, at, isFirst }: { glob: string; at: Spot; isFirst: boolean },
  ): 'some' | 'none' | { fault: string } {
    const glob = this.#globs.at(at, text);
    if ('fault' in glob) return glob;
    if (isFirst || this.#isIncomplete) return 'some';
    this.#ofKind ??= groupBy(this.#declared.keys(), (address) => this.#declared.get(address)!);
    const size = (this.#ofKind.get(kind) ?? []).filter(glob.matches).length;
    const isBounded = this.#growth.allows(at, { size }, this.#diagnostics);
    return size === 0 && isBounded && !this.#growth.isExceeded ? 'none' : 'some';
  }

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

  #dependency(name: string, finding: Omit<Finding, 'code' | 'message'>): Address | Finding | undefined {
    if (this.#units.has(name) || this.#declared.has(name)) return name;
    const path = name.includes('/') ? { error: '' } : parsePath(name);
    const target = 'steps' in path ? findTarget(this.#index, path.steps) : undefined;
    if (target && 'address' in target && target.rest.length === 0) return target.address;
    if (this.#isIncomplete || (target && 'message' in target && target.isUncertain)) return undefined;
    const known = [...this.#declared.keys()].filter((address) => !/#\d+$/.test(address));
    const hint = hintFor(name, known, 'declared');
    return { code: 'ref/unknown', message: `${quoted(name)} is not declared`, hint, ...finding };
  }

  /** Reads a block the second time. If it has an error now, nothing can refer to the values of the first time. */
  #readAgain(block: Block): void {
    const before = this.#read.get(block)!;
    if (!before.isWaiting || before.diagnostics.some(({ code }) => code === 'ref/in-name')) return;
    before.diagnostics = [];
    const again = readBlock(block, this.#surroundings(block, false));
    again.diagnostics.push(...before.diagnostics);
    for (const { address } of before.units)
      if (this.#units.get(address)?.block === block) this.#units.delete(address);
    this.#enter(block, again);
  }
}

const valueAt = ({ fields }: Resource, path: string[]): Value | undefined =>
  valueAtPath(fields, stepsOfPath(path)) as Value | undefined;
