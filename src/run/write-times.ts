import { idOf, updatedAtOf } from '../kind/define-kind.ts';
import type { Kind } from '../kind/kind.ts';
import type { ApiObject } from '../kind/read.ts';
import type { Address } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import type { LedgerEntry } from '../model/ledger.ts';
import type { Plan } from '../model/plan.ts';
import { isObjectValue } from '../model/value.ts';
import { visitDeep, visitMembers } from '../model/walk.ts';
import type { LedgerEntries } from './ledger-entries.ts';

/** Identifies an object of the platform by kind and id. */
type ObjectKey = string;
const objectKey = (kind: string, id: string): ObjectKey => `${kind} ${id}`;

/**
 * Keeps in each ledger entry the time of our own last write (`updatedAt`), as far as the platform's answers have it. Later plans compare
 * with it: a later time in the account means that somebody else wrote.
 *
 * 1. At the start, the entries of all objects that the plan writes lose their time. The answer to a write may get lost, and without a time
 *    our own write cannot be taken for somebody else's.
 * 2. Each answer that has the time of a write sets the time of all entries with that object. Several addresses can share an object.
 * 3. If somebody else wrote an object, and the change does not send its unreadable secrets (`Change.writtenOutside`), the entry keeps its
 *    former time: the next plan must still see that write.
 */
export class WriteTimes {
  readonly #entries: LedgerEntries;
  readonly #writtenAddresses: ReadonlySet<Address>;
  /** The former times of the addresses of rule 3. */
  readonly #timesToKeep: ReadonlyMap<Address, number | undefined>;
  /** The latest time that an answer of this run has for an object. */
  readonly #answeredTimes = new Map<ObjectKey, number>();
  /** The addresses of each object: several can share one. Objects that this run creates are added once they are recorded. */
  readonly #addressesOf = new Map<ObjectKey, Set<Address>>();

  /**
   * Prepares the record of write times: the ledger keeps when we last wrote an object, so that a later plan notices writes by others. The
   * objects that the plan writes lose their time now, because an answer may get lost, and our own write must not count as one of somebody
   * else. Those that somebody else wrote before (`writtenOutside`) keep it, because the next plan must still see that write.
   */
  constructor({ changes, operations }: Pick<Plan, 'changes' | 'operations'>, entries: LedgerEntries) {
    this.#entries = entries;
    this.#writtenAddresses = new Set(operations.flatMap((operation) => operation.changes));
    this.#timesToKeep = new Map(
      changes.flatMap(({ address, writtenOutside }) =>
        writtenOutside ? [[address, entries.byAddress[address]?.updatedAt]] : [],
      ),
    );
    for (const [address, { kind, ids }] of Object.entries(entries.byAddress))
      this.#addAddress(address, kind, ids);
    // Other addresses can share a written object, so the entries are found by their ids.
    const writtenObjects = new Set(
      changes.flatMap(({ address, kind, before }) =>
        this.#writtenAddresses.has(address) ? (before?.ids ?? []).map((id) => objectKey(kind, id)) : [],
      ),
    );
    for (const [address, { kind, ids, updatedAt }] of Object.entries(entries.byAddress)) {
      const losesTimeIfWritten = updatedAt !== undefined && !this.#timesToKeep.has(address);
      if (losesTimeIfWritten && ids.some((id) => writtenObjects.has(objectKey(kind, id))))
        this.#setTime(address, undefined);
    }
  }

  /**
   * Takes the times of our own writes (`updatedAt`) from an answer, whose objects may be anywhere in it, and sets them in the ledger
   * entries of these objects. A later plan then knows that a newer time in the account is that of a write by somebody else. Called after
   * each request of an operation.
   */
  recordAnswer(kind: Kind, answer: unknown): void {
    if (kind.read.updatedAt === undefined) return;
    const answeredIds = new Set<string>();
    for (const object of nestedObjectsIn(answer)) {
      const updatedAt = updatedAtOf(kind, object);
      if (updatedAt === undefined) continue;
      const id = idOf(kind, object);
      const key = objectKey(kind.name, id);
      answeredIds.add(id);
      this.#answeredTimes.set(key, Math.max(updatedAt, this.#answeredTimes.get(key) ?? 0));
    }
    const addresses = [...answeredIds].flatMap((id) => [
      ...(this.#addressesOf.get(objectKey(kind.name, id)) ?? []),
    ]);
    for (const address of new Set(addresses)) {
      const entry = this.#entries.byAddress[address];
      // `#addressesOf` also has the ids that an address had before its object was replaced.
      const hasAnsweredObject = entry?.ids.some((id) => answeredIds.has(id));
      // The next plan must still see that somebody else wrote the object before this run.
      const keepsFormerTime = this.#timesToKeep.has(address);
      if (entry && hasAnsweredObject && !keepsFormerTime)
        this.#setTime(address, this.#latestAnswered(kind.name, entry.ids));
    }
  }

  /**
   * Returns the time of our last write, which the entry of a finished change gets in the ledger. A later plan takes a newer time in the
   * account for a write by somebody else. It is the time of an answer. Without one, an object that this run wrote has no time (undefined),
   * and any other has the time at which it was read. `ids`: the ids that the object has now, by which later answers find the address.
   */
  timeAfter({ address, kind, before }: Change, ids: string[]): number | undefined {
    this.#addAddress(address, kind, ids);
    // Somebody wrote this object before the run, which the next plan still has to report.
    if (this.#timesToKeep.has(address)) return this.#timesToKeep.get(address);
    const timeIfNotAnswered = this.#writtenAddresses.has(address) ? undefined : before?.updatedAt;
    return this.#latestAnswered(kind, ids) ?? timeIfNotAnswered;
  }

  /**
   * Records which platform objects an address has, to note later when this run wrote them. Several addresses can share an object, and the
   * time in an answer must reach all of them: otherwise a plan would later count our own write as one by somebody else.
   */
  #addAddress(address: Address, kind: string, ids: string[]): void {
    for (const id of ids) {
      const key = objectKey(kind, id);
      const addresses = this.#addressesOf.get(key);
      if (addresses) addresses.add(address);
      else this.#addressesOf.set(key, new Set([address]));
    }
  }

  /** Returns the latest answered time of these objects; undefined if no answer has one. */
  #latestAnswered(kind: string, ids: string[]): number | undefined {
    const times = ids.flatMap((id) => this.#answeredTimes.get(objectKey(kind, id)) ?? []);
    return times.length > 0 ? Math.max(...times) : undefined;
  }

  /**
   * Sets in a ledger entry when this run last wrote its object, by which later plans notice writes by others. Undefined removes the time,
   * if it is not known: then no write is reported.
   */
  #setTime(address: Address, updatedAt: number | undefined): void {
    const { updatedAt: _, ...otherMembers } = this.#entries.byAddress[address]!;
    const entry: LedgerEntry = updatedAt === undefined ? otherMembers : { ...otherMembers, updatedAt };
    this.#entries.put(address, entry);
  }
}

/**
 * Returns all objects in an answer, at any depth. Any of them may be the object that the request wrote, with the time of our write
 * (`updatedAt`), by which later plans tell writes by others from ours.
 */
function nestedObjectsIn(answer: unknown): ApiObject[] {
  const objects: ApiObject[] = [];
  visitDeep(answer, (value) => {
    if (isObjectValue(value)) objects.push(value);
    return visitMembers;
  });
  return objects;
}
