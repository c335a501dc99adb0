import type { ReadBlock } from '../config/blocks/block.ts';
import { asDeclared, identityOf, omit } from '../kind/compare.ts';
import type { Kind, Kinds } from '../kind/kind.ts';
import { comparedFields } from '../kind/leaves.ts';
import { traitsOf } from '../kind/traits.ts';
import type { Address } from '../model/address.ts';
import { asksForWrite, type Change, type FieldChange } from '../model/change.ts';
import { canonical } from '../model/digest.ts';
import { atPath, namesIn } from '../model/field-path.ts';
import { groupBy } from '../model/graph.ts';
import type { Plan } from '../model/plan.ts';
import type { Desired, Live } from '../model/resource.ts';
import { revealed } from '../model/sealed.ts';
import { type Fields, holdsSecret, holesIn, isSecretRef, type Value } from '../model/value.ts';
import {
  type Accepted,
  type AcceptedField,
  type AcceptedSet,
  type EntryWords,
  foundWords,
  isUnordered,
  type LeftOut,
  schemaAt,
  wantedWords,
} from './accepted.ts';
import type { Words } from './edit-value.ts';

/** What is to be taken over. */
export interface Selection {
  /** The addresses that are meant. */
  isChosen(address: Address): boolean;
  /** They were named: then also what may have been changed here, where nobody can tell. */
  isNamed: boolean;
  /** The value of a field that may be somebody's secret may be written. */
  mayWrite(address: Address, path: string): boolean;
}

interface Given {
  plan: Pick<Plan, 'changes' | 'diagnostics'>;
  /** As the configuration has it: secrets by their names. */
  desired: Pick<Desired, 'resources'>;
  live: Pick<Live, 'resources'>;
  blocks: readonly ReadBlock[];
  kinds: Kinds;
}

/** A value that may be somebody's secret. */
export interface Doubtful {
  address: Address;
  path: string;
  /** What it is written in; the value of an entry is one, in however many places. */
  entry: ReadBlock | undefined;
}

export interface TakenOver {
  accepted: Accepted[];
  /** The fields and objects that are taken over, by address; a whole object is ''. */
  paths: Map<Address, Set<string>>;
  left: LeftOut[];
  /** Values that were not written, since nobody has allowed it. */
  doubtful: Doubtful[];
}

/** What was changed outside, of what is chosen, as what the blocks of the configuration are to say. Pure. */
export function takenOver(given: Given, selection: Selection): TakenOver {
  return new Taking(given, selection).all();
}

/** What a set is, and what it was to be. */
type SetChange = Pick<Change, 'address' | 'before' | 'after'>;

class Taking {
  readonly #given: Given;
  readonly #selection: Selection;
  readonly #blocksOf: ReadonlyMap<Address, ReadBlock[]>;
  readonly #result: TakenOver = { accepted: [], paths: new Map(), left: [], doubtful: [] };

  constructor(given: Given, selection: Selection) {
    this.#given = given;
    this.#selection = selection;
    const blocksOf = new Map<Address, ReadBlock[]>();
    for (const read of given.blocks)
      for (const { address } of read.units) blocksOf.set(address, [...(blocksOf.get(address) ?? []), read]);
    this.#blocksOf = blocksOf;
  }

  all(): TakenOver {
    const { changes } = this.#given.plan;
    const chosen = changes.filter(({ address }) => this.#selection.isChosen(address));
    for (const change of chosen) this.#unreadable(change);
    const drifted = chosen.filter((change) => this.#isGone(change) || this.#fieldsOf(change).length > 0);
    for (const { kind, change } of this.#refused()) this.#set(kind, change);
    const done = new Set<ReadBlock>();
    for (const change of drifted) {
      const kind = this.#given.kinds.get(change.kind)!;
      const blocks = this.#blocksOf.get(change.address) ?? [];
      if (kind.shape.merged) this.#set(kind, change);
      else
        for (const block of blocks) {
          if (done.has(block)) continue;
          done.add(block);
          const own = drifted.filter(({ address }) => block.units.some((unit) => unit.address === address));
          if (kind.shape.rowOf) this.#row(kind, block, own);
          else if (this.#isGone(change)) this.#gone(change, block);
          else this.#object(kind, change, block);
        }
    }
    return this.#result;
  }

  /** Sets of which nothing is planned, since something stands in them that nobody declares. */
  #refused(): { kind: Kind; change: SetChange }[] {
    const { desired, plan, live, kinds } = this.#given;
    const planned = new Set(plan.changes.map(({ address }) => address));
    return [...desired.resources.values()].flatMap((after): { kind: Kind; change: SetChange }[] => {
      const { address, meta } = after;
      const kind = kinds.get(after.kind)!;
      const before = live.resources.get(address);
      if (!kind.shape.merged || !before || meta.existing || meta.forget) return [];
      if (planned.has(address) || !this.#selection.isChosen(address)) return [];
      return [{ kind, change: { address, before, after } }];
    });
  }

  /** What was deleted outside. */
  readonly #isGone = ({ action, outside }: Change): boolean => action === 'create' && outside === true;

  /** The fields that were changed outside. */
  #fieldsOf({ action, fields, outside }: Change): FieldChange[] {
    if (action === 'create' || action === 'delete') return [];
    const isMeant = ({ cause }: FieldChange) =>
      cause === 'drift' ||
      cause === 'conflict' ||
      (cause === 'unknown' && (this.#selection.isNamed || outside === true)) ||
      (cause === 'edit' && outside === true);
    return fields.filter((field) => asksForWrite(field) && isMeant(field));
  }

  #unreadable({ address, touched }: Change): void {
    if (touched)
      this.#left(
        address,
        'its secret may have been changed outside, and cannot be read: set it here, and send it with --send-unverified',
      );
  }

  #left(address: Address, why: string): void {
    this.#result.left.push({ address, why });
  }

  #note(address: Address, path: string): void {
    this.#result.paths.set(address, (this.#result.paths.get(address) ?? new Set()).add(path));
  }

  #gone({ address }: Change, block: ReadBlock): void {
    const inside = this.#given.plan.changes.find(
      (other) =>
        other.address.startsWith(`${address}/`) &&
        other.after !== undefined &&
        !(this.#isGone(other) && this.#selection.isChosen(other.address)),
    );
    if (inside) {
      this.#left(address, `it is gone, and ${inside.address}, which is declared in it, is no part of that`);
      return;
    }
    this.#result.accepted.push({ type: 'gone', addresses: [address], block });
    this.#note(address, '');
  }

  #object(kind: Kind, change: Change, block: ReadBlock): void {
    const paths = this.#fieldsOf(change).map(({ path }) => whereFound(path, change));
    const all = [...new Set(paths)].flatMap((path) => this.#field(kind, change, path) ?? []);
    const fields = all.filter((field) => !this.#isName(kind, change, block, field));
    if (fields.length === 0) return;
    this.#result.accepted.push({ type: 'fields', addresses: [change.address], block, fields });
    for (const { path } of fields) this.#note(change.address, path.join('.'));
  }

  /** True for the name of an object that was renamed outside: that is more than a field. */
  #isName(kind: Kind, { address, before }: Change, block: ReadBlock, field: AcceptedField): boolean {
    const to = before?.renamedTo;
    const path = field.path.join('.');
    if (to === undefined || !kind.key.includes(path)) return false;
    this.#result.accepted.push({ type: 'renamed', block, field, from: address, to });
    this.#note(address, path);
    return true;
  }

  #field(kind: Kind, change: Change, path: string): AcceptedField | undefined {
    const found = this.#value(kind, change, path);
    if (!found) return undefined;
    const schema = schemaAt(kind.fields, path);
    const words = foundWords(path, schema, found.value);
    if ('problem' in words) {
      this.#left(change.address, words.problem);
      return undefined;
    }
    const before = wantedWords(schema, atPath(change.after!.fields, path));
    return { path: namesIn(path), before, after: words.words, isUnordered: isUnordered(schema) };
  }

  /** The found value of a field, in the clear where it may be written; undefined where it may not, which is noted. */
  #value(kind: Kind, change: Change, path: string): { value: Value | undefined } | undefined {
    const { address, before, after } = change;
    const traits = traitsOf(schemaAt(comparedFields(kind), path) ?? comparedFields(kind)[namesIn(path)[0]!]!);
    const found = before && asDeclared(atPath(before.fields, path), atPath(after!.fields, path), traits);
    const isHidden = holdsSecret(found) || change.fields.some((one) => one.path === path && one.secret);
    if (!isHidden || found === undefined || found === null) return { value: found };
    const wanted = this.#given.desired.resources.get(address)?.fields;
    if (wanted && holesIn(atPath(wanted, path)).some(isSecretRef)) {
      this.#left(
        address,
        `\`${path}\` is a secret of the configuration: give that the value which the account has, or apply`,
      );
      return undefined;
    }
    if (!this.#selection.mayWrite(address, path)) {
      this.#result.doubtful.push({ address, path, entry: this.#blocksOf.get(address)?.[0] });
      return undefined;
    }
    return { value: revealed(found) as Value };
  }

  /** An entry whose units lie in rows of the platform: all its units are one row, or it is told that they are not any more. */
  #row(kind: Kind, block: ReadBlock, changes: Change[]): void {
    const addresses = changes.map(({ address }) => address);
    const found = new Map<Address, Change>(changes.map((change) => [change.address, change]));
    const before = block.units.map(({ fields }) => fields);
    const after: Fields[] = [];
    const taken = new Map<Address, string[]>();
    for (const unit of block.units) {
      const change = found.get(unit.address);
      if (change && this.#isGone(change)) {
        taken.set(unit.address, ['']);
        continue;
      }
      const fields = { ...unit.fields };
      for (const { path } of change ? this.#fieldsOf(change) : []) {
        const value = this.#value(kind, change!, path);
        if (!value) continue;
        fields[path] = value.value as Value;
        taken.set(unit.address, [...(taken.get(unit.address) ?? []), path]);
      }
      after.push(fields);
    }
    if (taken.size === 0) return;
    const noted = () => {
      for (const [address, paths] of taken) for (const path of paths) this.#note(address, path);
    };
    if (after.length === 0) {
      this.#result.accepted.push({ type: 'gone', addresses, block });
      noted();
      return;
    }
    const names = [...new Set([...taken.values()].flat())].filter((name) => name !== '');
    const [stays, ...others] = unitsAlike(after, before, names);
    const rowOf = kind.shape.rowOf!;
    const old = rowOf(before);
    const fields = this.#rowFields(kind, [old, rowOf(stays!)], addresses[0]!);
    if (!fields) return;
    if (others.length === 0) this.#result.accepted.push({ type: 'fields', addresses, block, fields });
    else {
      const whole = [stays!, ...others].map((units) =>
        this.#entryWords(kind, [old, rowOf(units)], addresses[0]!),
      );
      if (whole.includes(undefined)) return;
      const [, ...added] = whole as EntryWords[];
      this.#result.accepted.push({
        type: 'split',
        addresses,
        block,
        fields,
        added,
        whole: whole as EntryWords[],
      });
    }
    noted();
  }

  /** What an entry says otherwise than the one that it was a part of; undefined where it cannot be said. */
  #entryWords(kind: Kind, [old, row]: [Fields, Fields], address: Address): EntryWords | undefined {
    const changed = this.#rowFields(kind, [omit(old, kind.key), omit(row, kind.key)], address);
    return changed && new Map(changed.map(({ path, after }) => [path[0]!, after]));
  }

  /** The differing fields of two rows; undefined where one of them cannot be said, which is noted. */
  #rowFields(kind: Kind, [before, after]: [Fields, Fields], address: Address): AcceptedField[] | undefined {
    const fields: AcceptedField[] = [];
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      if (text(before[name]) === text(after[name])) continue;
      const schema = kind.fields[name];
      const words = foundWords(name, schema, after[name]);
      if ('problem' in words) {
        this.#left(address, words.problem);
        return undefined;
      }
      const old = wantedWords(schema, before[name]);
      if (text(old as Value) === text(words.words as Value)) continue;
      fields.push({ path: [name], before: old, after: words.words, isUnordered: isUnordered(schema) });
    }
    return fields;
  }

  /** A set of which each member is a block: members are told apart by what need not be declared of none. */
  #set(kind: Kind, { address, before, after }: SetChange): void {
    const { rowOf } = kind.shape;
    if (holdsSecret(before?.fields) || holdsSecret(after?.fields)) {
      this.#left(address, 'it holds a secret: write it by hand');
      return;
    }
    const blocks = this.#blocksOf.get(address) ?? [];
    const open = Object.values(comparedFields(kind)).flatMap(
      (schema) => traitsOf(schema).whereDeclared ?? [],
    );
    const wanted = blocks.map((block) => ({ block, row: rowOf!(block.units.map(({ fields }) => fields)) }));
    const found = (before?.rows ?? []).map(({ fields }) => rowOf!([fields]));
    const rest = [...found];
    const pairs: { block: ReadBlock; row: Fields; live: Fields }[] = [];
    const unpaired = wanted.filter(({ block, row }) => {
      const at = rest.findIndex((live) => identityOf(live, open) === identityOf(row, open));
      if (at >= 0) pairs.push({ block, row, live: rest.splice(at, 1)[0]! });
      return at < 0;
    });
    for (const { block, row } of unpaired.splice(0, rest.length))
      pairs.push({ block, row, live: rest.shift()! });
    const changed = pairs.map(({ block, row, live }) => {
      const undeclared = open.filter((name) => row[name] === undefined);
      return { block, fields: this.#rowFields(kind, [row, omit(live, undeclared)], address) };
    });
    const whole = found.map((row) => this.#rowWords(kind, row, address));
    const added = rest.map((row) => this.#rowWords(kind, row, address));
    if (changed.some(({ fields }) => !fields) || whole.includes(undefined)) return;
    this.#result.accepted.push({
      type: 'set',
      address,
      addresses: [address],
      changed: changed as AcceptedSet['changed'],
      gone: unpaired.map(({ block }) => block),
      added,
      whole,
      blocks,
    });
    this.#note(address, '');
  }

  /** A row as a block says it. */
  #rowWords(kind: Kind, row: Fields, address: Address): Words {
    const fields = this.#rowFields(kind, [{}, row], address);
    return fields && Object.fromEntries(fields.map(({ path, after }) => [path[0]!, after]));
  }
}

/** The path of a leaf, or of what it is in where nothing of that is there. */
function whereFound(path: string, { before }: Change): string {
  const names = path.split(/(?<!\\)\./);
  const isThere = (length: number) => atPath(before?.fields ?? {}, names.slice(0, length).join('.')) != null;
  let { length } = names;
  while (length > 1 && !isThere(length) && !isThere(length - 1)) length--;
  return names.slice(0, length).join('.');
}

/** Units by what they are to say: first those that go on to say what all of them did, else the most. */
function unitsAlike(units: Fields[], before: Fields[], names: string[]): Fields[][] {
  const said = (fields: Fields) => names.map((name) => text(fields[name])).join();
  const groups = [...groupBy(units, said).values()];
  const old = said(before[0]!);
  const rank = ([first, ...others]: Fields[]) => (said(first!) === old ? Number.MAX_VALUE : others.length);
  return groups.sort((a, b) => rank(b) - rank(a));
}

/** A value by itself, whatever is secret in it too. */
const text = (value: Value | undefined): string => canonical(revealed(value ?? null));
