import type { ReadBlock } from '../config/blocks/block.ts';
import { reduceToDeclared } from '../kind/compare.ts';
import type { Kind, Kinds } from '../kind/kind.ts';
import { comparedFields, schemaAt } from '../kind/leaves.ts';
import { traitsOf } from '../kind/traits.ts';
import type { Address } from '../model/address.ts';
import { canonical } from '../model/canonical.ts';
import { asksForWrite, type Change, type FieldChange, isJoinedOutside } from '../model/change.ts';
import { addTo } from '../model/graph.ts';
import type { Plan } from '../model/plan.ts';
import type { Desired, Live, LiveResource } from '../model/resource.ts';
import { revealed } from '../model/sealed.ts';
import {
  atPath,
  type Fields,
  holdsSecret,
  holesIn,
  isSecretRef,
  namesInPath,
  type Value,
} from '../model/value.ts';
import {
  type Accepted,
  type AcceptedField,
  foundWords,
  isUnordered,
  type LeftOut,
  wantedWords,
} from './accepted.ts';

/** The changes to take over. */
export interface Selection {
  /** The addresses that are meant. */
  isChosen(address: Address): boolean;
  /** They were named: then also what may have been changed here, where nobody can tell. */
  isNamed: boolean;
  /** The value of a field that may be somebody's secret may be written. */
  mayWrite(address: Address, path: string): boolean;
}

export interface Given {
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
  /** The text that holds it; the value of an entry is one, in however many places. */
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

/** The findings about one selection: changes to take over, the rest, and possible secrets of somebody. */
export class Findings {
  readonly given: Given;
  readonly selection: Selection;
  readonly blocksOf: ReadonlyMap<Address, ReadBlock[]>;
  readonly result: TakenOver = { accepted: [], paths: new Map(), left: [], doubtful: [] };

  constructor(given: Given, selection: Selection) {
    this.given = given;
    this.selection = selection;
    const blocksOf = new Map<Address, ReadBlock[]>();
    for (const read of given.blocks) for (const { address } of read.units) addTo(blocksOf, address, read);
    this.blocksOf = blocksOf;
  }

  /** The objects that were deleted outside. */
  readonly isGone = ({ action, outside }: Change): boolean => action === 'create' && outside === true;

  /** The blocks that a change is accepted into. A unit that joined a row goes into the block that declares the row. */
  blocksFor(change: Change): readonly ReadBlock[] {
    const units = isJoinedOutside(change) ? this.unitsInRow(change) : [change];
    const blocks = units.flatMap(({ address }) => this.blocksOf.get(address) ?? []);
    return isJoinedOutside(change) ? blocks.slice(0, 1) : blocks;
  }

  /** The declared units in the row of a change. */
  unitsInRow({ kind, before }: Change): LiveResource[] {
    const { live } = this.given;
    return [...live.resources.values()].filter(
      (unit) =>
        unit.kind === kind &&
        this.blocksOf.has(unit.address) &&
        unit.ids.some((id) => before?.ids.includes(id)),
    );
  }

  /** The fields that were changed outside. */
  fieldsOf({ action, fields, outside }: Change): FieldChange[] {
    if (action === 'create' || action === 'delete') return [];
    const isMeant = ({ cause, notKept }: FieldChange) =>
      cause === 'drift' ||
      (notKept === true && this.selection.isNamed) ||
      cause === 'conflict' ||
      (cause === 'unknown' && (this.selection.isNamed || outside === true)) ||
      (cause === 'edit' && outside === true);
    return fields.filter((field) => asksForWrite(field) && isMeant(field));
  }

  /** Not taken over, and why. */
  left(address: Address, why: string): void {
    this.result.left.push({ address, why });
  }

  /** Taken over: the field of this path, or the whole object by the path "". */
  note(address: Address, path: string): void {
    this.result.paths.set(address, (this.result.paths.get(address) ?? new Set()).add(path));
  }

  /** The found value of a field, in the clear where it may be written; undefined where it may not, which is noted. */
  value(kind: Kind, change: Change, path: string): { value: Value | undefined } | undefined {
    const { address, before, after } = change;
    const traits = traitsOf(
      schemaAt(comparedFields(kind), path) ?? comparedFields(kind)[namesInPath(path)[0]!]!,
    );
    const found =
      before && reduceToDeclared(atPath(before.fields, path), atPath(after!.fields, path), traits);
    const isHidden = holdsSecret(found) || change.fields.some((field) => field.path === path && field.secret);
    if (!isHidden || found === undefined || found === null) return { value: found };
    const wanted = this.given.desired.resources.get(address)?.fields;
    if (wanted && holesIn(atPath(wanted, path)).some(isSecretRef)) {
      this.left(
        address,
        `\`${path}\` comes from a secret in the configuration: set that secret to the live value, or apply`,
      );
      return undefined;
    }
    if (!this.selection.mayWrite(address, path)) {
      this.result.doubtful.push({ address, path, entry: this.blocksOf.get(address)?.[0] });
      return undefined;
    }
    return { value: revealed(found) as Value };
  }

  /** The differing fields of two rows; undefined where one of them cannot be said, which is noted. */
  rowFields(kind: Kind, [before, after]: [Fields, Fields], address: Address): AcceptedField[] | undefined {
    const fields: AcceptedField[] = [];
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      if (text(before[name]) === text(after[name])) continue;
      const schema = kind.fields[name];
      const words = foundWords(name, schema, after[name]);
      if ('problem' in words) {
        this.left(address, words.problem);
        return undefined;
      }
      const old = wantedWords(schema, before[name]);
      if (text(old as Value) === text(words.words as Value)) continue;
      fields.push({ path: [name], before: old, after: words.words, isUnordered: isUnordered(schema) });
    }
    return fields;
  }
}

/** A value by itself, whatever is secret in it too. */
export const text = (value: Value | undefined): string => canonical(revealed(value ?? null));
